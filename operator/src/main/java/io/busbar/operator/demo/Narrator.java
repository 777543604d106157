package io.busbar.operator.demo;

import io.busbar.operator.sidecarset.v1alpha1.SidecarSet;
import io.busbar.operator.sidecarset.v1alpha1.SidecarSetStatus;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.readiness.Readiness;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/** Says in a line what has changed about a Pod or a SidecarSet, with the seconds since the story began. Any thread. */
final class Narrator {

    private final PrintWriter out;
    private final long start = System.nanoTime();
    private final Map<String, String> told = new ConcurrentHashMap<>();

    Narrator(PrintWriter out) {
        this.out = out;
    }

    /** What the user does. */
    void step(String text) {
        line("you", text);
    }

    void pod(Pod pod) {
        String containers = pod.getSpec().getContainers().stream()
                .map(Container::getImage)
                .map(image -> image.substring(image.indexOf('/') + 1))
                .collect(Collectors.joining(" + "));
        boolean ready = Readiness.getInstance().isReady(pod);
        tell("Pod " + pod.getMetadata().getName(), containers + (ready ? ", ready" : ", not ready"));
    }

    void set(SidecarSet set) {
        String subject = "SidecarSet " + set.getMetadata().getName();
        String hash = set.getMetadata().getAnnotations().getOrDefault(SidecarSet.HASH, "");
        tell(subject + " ", "defaulted and hashed: " + hash.substring(0, Math.min(8, hash.length())) + "…");
        SidecarSetStatus status = set.getStatus();
        if (status != null) {
            tell(
                    subject,
                    "matched " + status.matchedPods() + ", updated " + status.updatedPods() + ", ready "
                            + status.readyPods());
        }
    }

    private void tell(String subject, String text) {
        if (!text.equals(told.put(subject, text))) {
            line(subject.strip(), text);
        }
    }

    private void line(String subject, String text) {
        double seconds = Duration.ofNanos(System.nanoTime() - start).toMillis() / 1000.0;
        out.println(String.format(Locale.ROOT, "%6.2f s  %-22s %s", seconds, subject, text));
    }
}

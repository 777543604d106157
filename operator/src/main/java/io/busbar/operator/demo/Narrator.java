package io.busbar.operator.demo;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentStatus;
import io.fabric8.kubernetes.client.readiness.Readiness;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/** Says in a line what has changed about an object, with the seconds since the story began. Any thread. */
final class Narrator {

    private final PrintWriter out;
    private final long start = System.nanoTime();
    private final Map<String, String> told = new ConcurrentHashMap<>();

    Narrator(PrintWriter out) {
        this.out = out;
    }

    /** Begins another part. */
    void chapter(String title) {
        out.println();
        out.println(title);
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

    void deployment(Deployment deployment) {
        DeploymentStatus status = deployment.getStatus();
        Integer ready = status == null ? null : status.getReadyReplicas();
        tell(
                "Deployment " + deployment.getMetadata().getName(),
                (ready == null ? 0 : ready) + " of " + deployment.getSpec().getReplicas() + " Pods ready");
    }

    /** Says it unless it has said the same of the subject last. */
    void tell(String subject, String text) {
        tell(subject, subject, text);
    }

    /**
     * @param topic under which the last text is kept, where a subject has several
     */
    void tell(String topic, String subject, String text) {
        if (!text.equals(told.put(topic, text))) {
            line(subject, text);
        }
    }

    private void line(String subject, String text) {
        double seconds = Duration.ofNanos(System.nanoTime() - start).toMillis() / 1000.0;
        out.println(String.format(Locale.ROOT, "%6.2f s  %-22s %s", seconds, subject, text));
    }
}

package io.busbar.bench.josdk;

import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.readiness.Readiness;
import io.javaoperatorsdk.operator.Operator;
import io.javaoperatorsdk.operator.api.config.informer.InformerEventSourceConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import io.javaoperatorsdk.operator.processing.event.source.informer.InformerEventSource;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * An operator of PodSets with that SDK: Pods with names that follow from the set's, so that a cache that is late makes
 * none twice, and a status by server-side apply, as its documentation does it.
 */
public final class PodSetOperator implements Reconciler<PodSet> {

    private static final String LABEL = "app";

    private PodSetOperator() {}

    /** @param arguments the namespace that it works in, and how many reconciles may run at once */
    public static void main(String[] arguments) {
        Operator operator = new Operator(overrider -> overrider
                .withConcurrentReconciliationThreads(Integer.parseInt(arguments[1]))
                .withCloseClientOnStop(true));
        operator.register(new PodSetOperator(), overrider -> overrider.settingNamespace(arguments[0]));
        operator.start();
    }

    @Override
    public List<EventSource<?, PodSet>> prepareEventSources(EventSourceContext<PodSet> context) {
        return List.of(new InformerEventSource<>(
                InformerEventSourceConfiguration.from(Pod.class, PodSet.class)
                        .withLabelSelector(LABEL)
                        .build(),
                context));
    }

    @Override
    public UpdateControl<PodSet> reconcile(PodSet set, Context<PodSet> context) {
        Map<String, Pod> pods = new TreeMap<>();
        context.getSecondaryResources(Pod.class).stream()
                .filter(pod -> pod.getMetadata().getDeletionTimestamp() == null)
                .forEach(pod -> pods.put(pod.getMetadata().getName(), pod));
        List<String> names = IntStream.range(0, set.getSpec().size())
                .mapToObj(number -> set.getMetadata().getName() + "-" + number)
                .sorted()
                .toList();
        names.stream()
                .filter(name -> !pods.containsKey(name))
                .forEach(name -> context.getClient().resource(pod(set, name)).serverSideApply());
        pods.values().stream()
                .filter(pod -> !names.contains(pod.getMetadata().getName()))
                .forEach(pod -> context.getClient().resource(pod).delete());
        long ready = names.stream()
                .map(pods::get)
                .filter(pod -> pod != null && Readiness.isPodReady(pod))
                .count();
        PodSet.Status status = new PodSet.Status(
                names, names.size(), (int) ready, (int) ready, set.getMetadata().getGeneration());
        return status.equals(set.getStatus()) ? UpdateControl.noUpdate() : UpdateControl.patchStatus(with(set, status));
    }

    private static PodSet with(PodSet set, PodSet.Status status) {
        PodSet patch = new PodSet();
        patch.setMetadata(new ObjectMetaBuilder()
                .withName(set.getMetadata().getName())
                .withNamespace(set.getMetadata().getNamespace())
                .build());
        patch.setStatus(status);
        return patch;
    }

    private static Pod pod(PodSet set, String name) {
        Pod pod = new PodBuilder()
                .withNewMetadata()
                .withName(name)
                .withNamespace(set.getMetadata().getNamespace())
                .addToLabels(LABEL, set.getMetadata().getName())
                .endMetadata()
                .withNewSpec()
                .withTerminationGracePeriodSeconds(1L)
                .withContainers(new ContainerBuilder()
                        .withName("busybox")
                        .withImage("busybox")
                        .withCommand("sleep", "3600")
                        .build())
                .endSpec()
                .build();
        pod.addOwnerReference(set);
        return pod;
    }
}

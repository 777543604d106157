package io.busbar.operator.podset;

import io.busbar.common.MetadataKey;
import io.busbar.operator.podset.v1alpha1.PodSet;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** What every Pod of a set is made from. Pure; any thread. */
final class DesiredPod {

    private static final MetadataKey APP =
            MetadataKey.label("app", "the Pods of a PodSet", "set by the operator: the name of the PodSet");
    private static final MetadataKey VERSION =
            MetadataKey.label("version", "the Pods of a PodSet", "set by the operator: v0.1");

    private DesiredPod() {}

    /** One more Pod, whose name is made up when it is created. */
    static Pod of(PodSet set) {
        return new PodBuilder()
                .withNewMetadata()
                .withGenerateName(set.getMetadata().getName() + "-")
                .withNamespace(set.getMetadata().getNamespace())
                .withLabels(labels(set))
                .endMetadata()
                .withNewSpec()
                // As the first process of its container, sleep does not end when it is asked to: a longer wait would be
                // in vain.
                .withTerminationGracePeriodSeconds(1L)
                .addNewContainer()
                .withName("busybox")
                .withImage("busybox")
                .withCommand("sleep", "3600")
                .endContainer()
                .endSpec()
                .build();
    }

    /** Selects the Pods of a set, in the syntax of the API. */
    static String selector(PodSet set) {
        return labels(set).entrySet().stream()
                .map(label -> label.getKey() + "=" + label.getValue())
                .collect(Collectors.joining(","));
    }

    private static Map<String, String> labels(PodSet set) {
        return new TreeMap<>(Map.of(APP.name(), set.getMetadata().getName(), VERSION.name(), "v0.1"));
    }
}

package io.busbar.bench.josdk;

import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Version;
import java.util.List;

/** The kind, as that SDK wants its models. */
@Group("apps.jicki.cn")
@Version("v1alpha1")
public class PodSet extends CustomResource<PodSet.Spec, PodSet.Status> implements Namespaced {

    /** As the definition has it. */
    public record Spec(int size) {}

    /** The part of it that is the same for both. */
    public record Status(
            List<String> nodes, int replicas, int readyReplicas, int availableReplicas, long observedGeneration) {}
}

package io.busbar.operator.podset;

import io.busbar.operator.podset.v1alpha1.PodSet;
import io.busbar.operator.podset.v1alpha1.PodSetSpec;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;

/** Sets as a store has them. */
final class TestSets {

    private TestSets() {}

    static PodSet set(String name, int size, long generation) {
        PodSet set = new PodSet();
        set.setMetadata(new ObjectMetaBuilder()
                .withNamespace("default")
                .withName(name)
                .withUid("uid-" + name)
                .withGeneration(generation)
                .build());
        set.setSpec(new PodSetSpec(size));
        return set;
    }
}

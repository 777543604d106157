package io.busbar.common.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.common.ObjectKey;
import io.busbar.common.ResourceType;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.apps.ReplicaSet;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class KeyMappingTest {

    private static final ResourceType REPLICA_SET = ResourceType.of(ReplicaSet.class);

    private final Pod pod = new PodBuilder()
            .withNewMetadata()
            .withNamespace("ns")
            .withName("a")
            .addToLabels("app", "web")
            .addToLabels("empty", "")
            .addNewOwnerReference()
            .withApiVersion("apps/v1")
            .withKind("ReplicaSet")
            .withName("controlling")
            .withController(true)
            .endOwnerReference()
            .addNewOwnerReference()
            .withApiVersion("apps/v1beta2")
            .withKind("ReplicaSet")
            .withName("owning")
            .endOwnerReference()
            .addNewOwnerReference()
            .withApiVersion("other.io/v1")
            .withKind("ReplicaSet")
            .withName("of-another-group")
            .withController(true)
            .endOwnerReference()
            .addNewOwnerReference()
            .withApiVersion("v1")
            .withKind("Namespace")
            .withName("cluster-scoped")
            .endOwnerReference()
            .endMetadata()
            .build();

    @Test
    void self_is_the_object() {
        assertMapped(KeyMapping.self(), "ns/a");
    }

    @Test
    void the_controller_owner_is_the_one_of_that_kind_that_controls() {
        assertMapped(KeyMapping.controllerOwner(REPLICA_SET), "ns/controlling");
    }

    @Test
    void any_owner_is_each_of_that_kind_and_group_whatever_the_version() {
        assertMapped(KeyMapping.anyOwner(REPLICA_SET), "ns/controlling", "ns/owning");
    }

    @Test
    void a_cluster_scoped_owner_has_no_namespace() {
        assertMapped(KeyMapping.anyOwner(ResourceType.of(Namespace.class)), "cluster-scoped");
    }

    @Test
    void a_label_names_the_primary_in_the_objects_namespace() {
        assertMapped(KeyMapping.byLabel("app"), "ns/web");
        assertMapped(KeyMapping.byLabel("empty"));
        assertMapped(KeyMapping.byLabel("missing"));
    }

    @Test
    void an_index_finds_the_primaries_that_refer_to_the_object() {
        Index<Pod> index =
                new Index<>("byNode", other -> List.of(other.getSpec().getNodeName()));
        KeyMapping<Pod> mapping = KeyMapping.byIndex(
                Pod.class, index, object -> object.getMetadata().getName());

        assertThat(mapping.keys(pod, new OnePodUnder("a", pod))).containsExactly(ObjectKey.of("ns", "a"));
        assertThat(mapping.keys(pod, new OnePodUnder("b", pod))).isEmpty();
    }

    @Test
    void indexes_are_equal_by_name() {
        Index<Pod> one = new Index<>("name", object -> List.of());
        Index<Pod> other = new Index<>("name", object -> List.of("x"));

        assertThat(one).isEqualTo(other).hasSameHashCodeAs(other);
        assertThat(one).isNotEqualTo(new Index<Pod>("another", object -> List.of()));
    }

    private void assertMapped(KeyMapping<HasMetadata> mapping, String... keys) {
        Collection<ObjectKey> found = mapping.keys(pod, new OnePodUnder("", pod));
        assertThat(found).extracting(ObjectKey::toString).containsExactlyInAnyOrder(keys);
    }

    /** A store of one Pod that any index files under one value. */
    private record OnePodUnder(String value, Pod pod) implements Listers {
        @Override
        public <T extends HasMetadata> Lister<T> lister(Class<T> type) {
            return new Lister<>() {
                @Override
                public Optional<T> get(ObjectKey key) {
                    return list().stream().findFirst();
                }

                @Override
                public List<T> list() {
                    return List.of(type.cast(pod));
                }

                @Override
                public List<T> list(String namespace) {
                    return list();
                }

                @Override
                public List<T> by(Index<T> index, String wanted) {
                    return wanted.equals(value) ? list() : List.of();
                }

                @Override
                public int size() {
                    return 1;
                }

                @Override
                public boolean synced() {
                    return true;
                }
            };
        }
    }
}

package io.busbar.operator.guestbook;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.operator.guestbook.v1.Guestbook;
import io.busbar.operator.sidecarset.StoredObjects;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class FrontendsTest {

    private static final String EARLY = "2030-01-01T00:00:00Z";
    private static final String LATE = "2030-01-01T00:00:01Z";

    @Test
    void the_oldest_ready_one_is_active_and_the_others_stand_by_in_order() {
        assertThat(frontends(pod("d", LATE), pod("c", EARLY), pod("a", LATE)))
                .isEqualTo(new Frontends(Optional.of("c"), List.of("a", "d")));
    }

    @Test
    void of_two_as_old_the_first_by_name_is_active() {
        assertThat(frontends(pod("b", EARLY), pod("a", EARLY)).active()).contains("a");
    }

    @Test
    void one_that_is_not_ready_or_is_being_deleted_does_not_count() {
        Pod notReady = pod("a", EARLY)
                .edit()
                .editStatus()
                .editFirstCondition()
                .withStatus("False")
                .endCondition()
                .endStatus()
                .build();
        Pod deleted = pod("b", EARLY)
                .edit()
                .editMetadata()
                .withDeletionTimestamp(LATE)
                .endMetadata()
                .build();
        Pod unseen = pod("c", EARLY).edit().withStatus(null).build();

        assertThat(frontends(notReady, deleted, unseen, pod("d", LATE)))
                .isEqualTo(new Frontends(Optional.of("d"), List.of()));
    }

    @Test
    void a_pod_that_only_carries_the_labels_does_not_count() {
        Pod bare = pod("a", EARLY)
                .edit()
                .editMetadata()
                .withOwnerReferences(List.of())
                .endMetadata()
                .build();
        Pod others = pod("b", EARLY)
                .edit()
                .editMetadata()
                .editFirstOwnerReference()
                .withName("other-frontend-5f6d")
                .endOwnerReference()
                .endMetadata()
                .build();

        Frontends none = frontends(bare, others);
        assertThat(none.ready()).isZero();
        assertThat(none.active()).isEmpty();
    }

    @Test
    void those_of_another_guestbook_and_of_another_namespace_do_not_count() {
        Guestbook guestbook = new Guestbook();
        guestbook.getMetadata().setName("g");
        guestbook.getMetadata().setNamespace("ns");
        Pod elsewhere = pod("b", EARLY)
                .edit()
                .editMetadata()
                .withNamespace("other")
                .endMetadata()
                .build();
        Pod another = pod("c", EARLY)
                .edit()
                .editMetadata()
                .addToLabels(Frontends.INSTANCE, "h")
                .endMetadata()
                .build();

        assertThat(Frontends.of(guestbook, StoredObjects.of(pod("a", LATE), elsewhere, another)))
                .isEqualTo(new Frontends(Optional.of("a"), List.of()));
    }

    private static Frontends frontends(Pod... pods) {
        return Frontends.of("g-frontend", List.of(pods));
    }

    private static Pod pod(String name, String created) {
        return new PodBuilder()
                .withNewMetadata()
                .withName(name)
                .withNamespace("ns")
                .withCreationTimestamp(created)
                .addToLabels(Frontends.INSTANCE, "g")
                .addToLabels("pod-template-hash", "5f6d")
                .addNewOwnerReference()
                .withApiVersion("apps/v1")
                .withKind("ReplicaSet")
                .withName("g-frontend-5f6d")
                .withController(true)
                .endOwnerReference()
                .endMetadata()
                .withNewStatus()
                .addNewCondition()
                .withType("Ready")
                .withStatus("True")
                .endCondition()
                .endStatus()
                .build();
    }
}

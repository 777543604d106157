package io.busbar.reconciler.work;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.reconciler.EventRecorder;
import io.busbar.reconciler.ObjectNotOwnedException;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RefusalsTest {

    private static final ConfigMap OBJECT = map("object");
    private static final ConfigMap ONE = map("one");
    private static final ConfigMap OTHER = map("other");

    private final List<String> events = new ArrayList<>();
    private final Refusals refusals = new Refusals(new EventRecorder() {
        @Override
        public void normal(HasMetadata regarding, String reason, String action, String note) {
            throw new AssertionError(note);
        }

        @Override
        public void warning(HasMetadata regarding, String reason, String action, String note) {
            events.add(regarding.getMetadata().getName() + " " + reason);
        }
    });

    private static ConfigMap map(String name) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace("ns")
                .withName(name)
                .endMetadata()
                .build();
    }

    @Test
    void are_told_once_and_again_when_it_has_been_otherwise() {
        refusals.tell(ONE, OBJECT, ObjectNotOwnedException.of(OBJECT));
        refusals.tell(ONE, OBJECT, ObjectNotOwnedException.of(OBJECT));
        refusals.tell(OTHER, OBJECT, ObjectNotOwnedException.of(OBJECT));
        assertThat(events).containsExactly("one ObjectNotOwned", "other ObjectNotOwned");

        refusals.over(ONE, OBJECT);
        refusals.tell(ONE, OBJECT, ObjectNotOwnedException.of(OBJECT));
        assertThat(events).containsExactly("one ObjectNotOwned", "other ObjectNotOwned", "one ObjectNotOwned");
    }

    /** Of whom nothing was told: their reconciles failed, all of them, from the first refusal of anybody on. */
    @Test
    void of_one_primary_are_no_concern_of_others() {
        refusals.tell(ONE, OBJECT, ObjectNotOwnedException.of(OBJECT));

        refusals.over(OTHER, OBJECT);

        assertThat(events).hasSize(1);
    }
}

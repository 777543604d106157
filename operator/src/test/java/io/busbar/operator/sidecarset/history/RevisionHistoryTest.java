package io.busbar.operator.sidecarset.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.operator.sidecarset.Yaml;
import io.busbar.operator.sidecarset.v1beta1.SidecarSet;
import io.busbar.testkit.memory.InMemoryContext;
import io.fabric8.kubernetes.api.model.apps.ControllerRevision;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RevisionHistoryTest {

    private final SidecarSet set = Yaml.set("web", "{}");
    private final InMemoryContext<SidecarSet> context = InMemoryContext.of(set);
    private final RevisionHistory history = new RevisionHistory("busbar-system");

    @BeforeEach
    void the_set() {
        set.getMetadata().setUid("u-1");
    }

    @Test
    void keeps_what_goes_into_pods_under_the_sets_name() {
        RegisteredRevision registered = spec(1, "customVersion: blue");

        assertThat(revisions()).singleElement().satisfies(revision -> {
            assertThat(revision.getMetadata().getName()).isEqualTo(registered.name());
            assertThat(revision.getMetadata().getNamespace()).isEqualTo("busbar-system");
            assertThat(revision.getMetadata().getLabels())
                    .isEqualTo(Map.of(
                            "kruise.io/sidecarset-name", "web", "apps.kruise.io/sidecarset-custom-version", "blue"));
            assertThat(revision.getMetadata().getOwnerReferences())
                    .singleElement()
                    .satisfies(owner -> assertThat(owner.getUid()).isEqualTo("u-1"));
            assertThat(revision.getRevision()).isEqualTo(1);
            assertThat(RevisionData.of(revision.getData()).json().toString())
                    .isEqualTo(
                            "{\"spec\":{\"$patch\":\"replace\",\"containers\":[{\"image\":\"agent:1\",\"name\":\"agent\","
                                    + "\"securityContext\":{\"runAsUser\":1000}}]}}");
        });
    }

    @Test
    void writes_nothing_while_the_spec_is_the_newest_revision() {
        RegisteredRevision first = spec(1);

        assertThat(spec(1)).isEqualTo(first);
        assertThat(context.writes()).hasSize(1);
    }

    @Test
    void gives_the_newest_revision_the_authors_present_name_for_it() {
        spec(1);

        spec(1, "customVersion: green");
        spec(1, "customVersion: green");

        assertThat(revisions())
                .singleElement()
                .satisfies(revision -> assertThat(revision.getMetadata().getLabels())
                        .containsEntry(SidecarSet.CUSTOM_VERSION, "green"));
        assertThat(context.writes()).hasSize(2);
    }

    @Test
    void keeps_as_many_as_the_limit_says_and_makes_an_old_spec_the_newest_again() {
        for (int i = 1; i <= 15; i++) {
            spec(i);
        }
        assertThat(numbers()).containsExactly(6L, 7L, 8L, 9L, 10L, 11L, 12L, 13L, 14L, 15L);

        spec(12);
        assertThat(numbers()).containsExactly(6L, 7L, 8L, 9L, 10L, 11L, 13L, 14L, 15L, 16L);
    }

    @Test
    void never_deletes_the_newest_nor_what_pods_use_or_the_injection_is_pinned_to() {
        String used = spec(1).name();
        String pinned = spec(2).name();
        spec(3);
        spec(4);
        set.setSpec(Yaml.spec("containers: [{name: agent, image: 'agent:5'}]\nrevisionHistoryLimit: 0\n"
                + "injectionStrategy: {revision: {revisionName: " + pinned + "}}"));
        history.register(set, context);

        history.truncate(set, () -> Set.of(used), context);

        assertThat(numbers()).containsExactly(1L, 2L, 5L);
    }

    @Test
    void takes_another_name_when_one_is_taken_by_another_spec() {
        String name = spec(1).name();
        revisions().forEach(revision -> {
            revision.setData(Map.of("spec", Map.of("other", 1)));
            context.put(revision);
        });
        set.getMetadata().setUid("u-2");

        RegisteredRevision second = spec(1);

        assertThat(second.name()).isNotEqualTo(name);
        assertThat(second.collisionCount()).isEqualTo(1);
    }

    @Test
    void takes_over_a_revision_of_the_same_spec_that_its_lister_has_not_seen() {
        String name = spec(1).name();
        InMemoryContext<SidecarSet> lagging = InMemoryContext.of(set);
        lagging.holdBack(ControllerRevision.class);
        lagging.put(revisions().get(0));

        assertThat(history.register(set, lagging).name()).isEqualTo(name);
        assertThat(lagging.list(ControllerRevision.class)).hasSize(1);
    }

    private RegisteredRevision spec(int number) {
        return spec(number, "");
    }

    private RegisteredRevision spec(int number, String more) {
        set.setSpec(Yaml.spec("containers: [{name: agent, image: 'agent:" + number
                + "', securityContext: {runAsUser: 1000}}]\nrevisionHistoryLimit: 10\n" + more));
        RegisteredRevision registered = history.register(set, context);
        history.truncate(set, Set::of, context);
        return registered;
    }

    private List<ControllerRevision> revisions() {
        return context.list(ControllerRevision.class);
    }

    private List<Long> numbers() {
        return revisions().stream()
                .map(ControllerRevision::getRevision)
                .sorted()
                .toList();
    }
}

package io.busbar.operator.sidecarset.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.common.ObjectKey;
import io.busbar.common.watch.Index;
import io.busbar.common.watch.Lister;
import io.busbar.operator.sidecarset.Yaml;
import io.busbar.operator.sidecarset.v1beta1.InjectionRevision;
import io.busbar.operator.sidecarset.v1beta1.SidecarSet;
import io.fabric8.kubernetes.api.model.apps.ControllerRevision;
import io.fabric8.kubernetes.api.model.apps.ControllerRevisionBuilder;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RevisionLookupTest {

    private final RevisionLookup lookup = RevisionLookup.in(new Revisions());
    private final SidecarSet set = Yaml.set("logs", "containers: []");

    @Test
    void finds_a_revision_of_the_set_by_its_name() {
        assertThat(lookup.find(set, new InjectionRevision(null, "logs-abc", null)))
                .isPresent();
        assertThat(lookup.find(set, new InjectionRevision(null, "logs-def", null)))
                .isEmpty();
        assertThat(lookup.find(Yaml.set("other", "{}"), new InjectionRevision(null, "logs-abc", null)))
                .isEmpty();
    }

    @Test
    void finds_a_revision_by_the_authors_version_unless_a_name_is_given() {
        assertThat(lookup.find(set, new InjectionRevision("v1", null, null))).isPresent();
        assertThat(lookup.find(set, new InjectionRevision("v2", null, null))).isEmpty();
        assertThat(lookup.find(set, new InjectionRevision("v1", "logs-def", null)))
                .isEmpty();
    }

    /** One revision, of the set logs. */
    private static final class Revisions implements Lister<ControllerRevision> {
        @Override
        public List<ControllerRevision> by(Index<ControllerRevision> index, String value) {
            assertThat(index).isEqualTo(RevisionHistory.BY_SET);
            return value.equals("logs") ? list() : List.of();
        }

        @Override
        public List<ControllerRevision> list() {
            return List.of(new ControllerRevisionBuilder()
                    .withNewMetadata()
                    .withName("logs-abc")
                    .withLabels(Map.of(SidecarSet.CUSTOM_VERSION, "v1"))
                    .endMetadata()
                    .build());
        }

        @Override
        public List<ControllerRevision> list(String namespace) {
            return list();
        }

        @Override
        public Optional<ControllerRevision> get(ObjectKey key) {
            return Optional.empty();
        }

        @Override
        public int size() {
            return 1;
        }

        @Override
        public boolean synced() {
            return true;
        }
    }
}

package io.busbar.testkit.builds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.busbar.reconciler.ReconcileResult;
import io.busbar.testkit.memory.InMemoryContext;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class BuildReconcilerTest {

    private final InMemoryContext<Build> context =
            InMemoryContext.of(BuildBundle.controller(), Build.of("web", "git://in-memory"));

    @Test
    void builds_the_head_with_the_whole_of_a_secret_of_which_only_the_metadata_is_watched() throws Exception {
        Git.HEADS.put("git://in-memory", "c1");
        putSecret();

        context.turn();

        assertThat(context.writes()).containsExactly("create Job web-c1", "status Build web");
        assertThat(context.primary().getStatus()).isEqualTo(new Build.Status("c1", ""));
    }

    @Test
    void tells_in_its_status_why_nothing_is_built() {
        Git.HEADS.put("git://in-memory", "c1");

        assertThatThrownBy(context::turn).hasMessage("no token in Secret git");

        assertThat(context.primary().getStatus()).isEqualTo(new Build.Status("", "no token in Secret git"));
    }

    @Test
    void waits_while_builds_are_frozen() throws Exception {
        putSecret();
        context.put(new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace(context.key().namespace())
                .withName("freeze")
                .endMetadata()
                .build());

        assertThat(context.reconcile(new BuildReconciler()))
                .isEqualTo(ReconcileResult.requeueAfter(Duration.ofMinutes(5)));
        assertThat(context.list(Job.class)).isEmpty();
    }

    private void putSecret() {
        context.put(new SecretBuilder()
                .withNewMetadata()
                .withNamespace(context.key().namespace())
                .withName("git")
                .endMetadata()
                .withData(Map.of("token", "c2VjcmV0"))
                .build());
    }
}

package io.busbar.blueprint.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.blueprint.Blueprints;
import io.busbar.blueprint.v1alpha1.BlueprintRun;
import io.busbar.common.watch.WatchRequest;
import io.busbar.common.watch.WatchSpec;
import io.busbar.reconciler.Controller;
import io.busbar.runtime.bundle.BundleContext;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class BlueprintBundleTest {

    private static final String PLANS = """
              plans:
                - {name: work, phases: [{name: all, steps: [{name: none, wait: "${true}"}]}]}
            """;

    private static List<Set<String>> namespaces(String scope, Optional<String> accounts) {
        BlueprintBundle bundle = new BlueprintBundle(
                List.of(new Revision("", Blueprints.checked(Blueprints.with("scope: " + scope, "") + PLANS))),
                new KubernetesSerialization(),
                accounts);
        Controller<?> runs =
                bundle.controllers(BundleContext.declaring("operators")).get(1);
        return runs.watchRequests().stream()
                .<WatchSpec<?>>map(WatchRequest::spec)
                .filter(spec -> Set.of(BlueprintRun.class, Job.class).contains(spec.type()))
                .map(WatchSpec::namespaces)
                .toList();
    }

    /** Whatever namespaces the operator is told to watch. */
    @Test
    void runs_about_instances_in_no_namespace_are_watched_where_the_accounts_are() {
        assertThat(namespaces("Cluster", Optional.of("accounts")))
                .containsExactly(Set.of("accounts"), Set.of("accounts"));
        assertThat(namespaces("Cluster", Optional.empty())).containsExactly(Set.of("operators"), Set.of("operators"));
        assertThat(namespaces("Namespaced", Optional.of("accounts"))).containsExactly(Set.of(), Set.of());
    }
}

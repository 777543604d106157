package io.busbar.blueprint.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.busbar.blueprint.Blueprints;
import io.busbar.blueprint.check.CheckedBlueprint;
import io.busbar.blueprint.v1alpha1.BlueprintRun;
import io.busbar.runtime.assembly.Installation;
import io.busbar.sandbox.SandboxOptions;
import io.busbar.sandbox.faults.Fault;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

/** What is answered to one request is no reason to leave the other runs as they are. */
@TestInstance(Lifecycle.PER_CLASS)
class LostRunsTest {

    private static final String RUNS = "blueprintruns.blueprints.busbar.io";

    @AutoClose
    private final BlueprintCluster cluster = new BlueprintCluster(SandboxOptions.defaults());

    private LostRuns lost;

    @BeforeAll
    void define() {
        CheckedBlueprint blueprint = Blueprints.checked(Blueprints.with("", "") + """
                  plans:
                    - {name: work, phases: [{name: all, steps: [{name: none, wait: "${true}"}]}]}
                """);
        BlueprintOperator.of("blueprints", "0.1.0", List.of(blueprint), Optional.empty())
                .crds()
                .forEach(kind -> Installation.install(cluster.client(), kind));
        lost = new LostRuns(cluster.client(), blueprint.blueprint().schema(), InstantSource.system());
    }

    @BeforeEach
    void make() {
        List.of("a", "b", "c").forEach(name -> cluster.write("""
                apiVersion: blueprints.busbar.io/v1alpha1
                kind: BlueprintRun
                metadata: {name: %s, namespace: default}
                spec: {plan: work, instance: {apiVersion: busbar.io/v1, kind: Test, name: it}}
                """.formatted(name)));
    }

    @AfterEach
    void clear() {
        cluster.faults().clear().join();
        cluster.client().resources(BlueprintRun.class).inNamespace("default").delete();
    }

    @Test
    void one_that_somebody_else_has_changed_is_looked_at_again() {
        cluster.faults().inject(Fault.conflict("patch", RUNS + "/status").named("a"));
        lost.end();
        assertThat(phases()).containsExactly("Failed", "Failed", "Failed");
    }

    @Test
    void one_that_has_gone_is_passed_over() {
        cluster.faults().inject(Fault.on("patch", RUNS + "/status").named("a").refused(404));
        lost.end();
        assertThat(phases()).containsExactly("null", "Failed", "Failed");
    }

    @Test
    void one_that_is_refused_is_told_of_once_the_others_have_ended() {
        cluster.faults().inject(Fault.on("patch", RUNS + "/status").named("a").refused(403));
        assertThatThrownBy(lost::end).hasMessageContaining("403");
        assertThat(phases()).containsExactly("null", "Failed", "Failed");
    }

    @Test
    void all_are_listed_at_once_where_they_change_too_fast_for_pages() {
        cluster.faults().inject(Fault.on("list", RUNS).refused(410));
        lost.end();
        assertThat(phases()).containsExactly("Failed", "Failed", "Failed");
    }

    private List<String> phases() {
        return cluster.client().resources(BlueprintRun.class).inNamespace("default").list().getItems().stream()
                .map(run -> run.getStatus() == null
                        ? "null"
                        : String.valueOf(run.getStatus().phase()))
                .toList();
    }
}

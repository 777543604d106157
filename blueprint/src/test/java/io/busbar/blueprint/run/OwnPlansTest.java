package io.busbar.blueprint.run;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.busbar.blueprint.Blueprints;
import io.busbar.blueprint.render.Rendering.PlanCall;
import io.busbar.blueprint.render.Rendering.PlanQuestion;
import io.busbar.blueprint.v1alpha1.BlueprintRun;
import io.busbar.blueprint.v1alpha1.BlueprintRunSpec;
import io.busbar.blueprint.v1alpha1.BlueprintRunStatus;
import io.busbar.reconciler.ReconcileContext;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class OwnPlansTest {

    private static final String LAST = Blueprints.with("spec: {text: string}", "") + """
              plans:
                - name: delete
                  phases: &none [{name: all, steps: [{name: none, wait: "${true}"}]}]
            """;
    private static final String FIRST_AND_LAST = LAST + "    - {name: deploy, phases: *none}\n";

    private static final String UPDATED = Blueprints.with("spec: {text: string, any: object}", "") + """
              plans:
                - {name: update, phases: [{name: all, steps: [{name: none, wait: "${true}"}]}]}
            """;

    private final List<BlueprintRun> runs = new ArrayList<>();

    private OwnPlans plans(String blueprint, Optional<PlanMemory> memory) throws Exception {
        return plans(blueprint, "{\"text\": \"a\"}", memory);
    }

    private OwnPlans plans(String blueprint, String spec, Optional<PlanMemory> memory) throws Exception {
        GenericKubernetesResource instance = new GenericKubernetesResource();
        instance.setMetadata(
                new ObjectMetaBuilder().withNamespace("ns").withName("it").build());
        JsonNode json = new ObjectMapper().readTree("{\"spec\": " + spec + "}");
        // Is asked for runs, and for nothing else.
        ReconcileContext<?> context = (ReconcileContext<?>) Proxy.newProxyInstance(
                OwnPlansTest.class.getClassLoader(),
                new Class<?>[] {ReconcileContext.class},
                (self, method, arguments) -> List.copyOf(runs));
        return new OwnPlans(Blueprints.checked(blueprint), instance, json, memory, context);
    }

    private static PlanMemory remembered(String spec, String run, List<PlanCall> next) throws Exception {
        return new PlanMemory(new ObjectMapper().readTree(spec), 1, run, next, Map.of(), false);
    }

    private static BlueprintRun run(String phase) {
        boolean over = !phase.equals("Running");
        BlueprintRun run = new BlueprintRun();
        run.setMetadata(new ObjectMetaBuilder().withName("it-update-1").build());
        run.setSpec(new BlueprintRunSpec(
                new BlueprintRunSpec.Instance("busbar.io/v1", "Test", "it"), "update", null, null, null));
        run.setStatus(new BlueprintRunStatus(
                phase, List.of(), 1, 1, "", over ? "2026-01-01T00:00:00Z" : null, List.of(), null));
        return run;
    }

    @Test
    void an_instance_is_not_new_to_a_blueprint_that_gains_a_first_plan_beside_its_last_one() throws Exception {
        OwnPlans before = plans(LAST, Optional.empty());
        before.decide(before.question(), List.of());

        assertThat(plans(FIRST_AND_LAST, before.memory()).question().plans()).isEmpty();
        assertThat(plans(FIRST_AND_LAST, Optional.empty()).question().plans()).containsExactly("deploy");
    }

    @Test
    void a_plan_that_was_not_asked_about_while_a_run_went_on_is_not_forgotten_when_that_ends() throws Exception {
        runs.add(run("Running"));
        OwnPlans plans = plans(UPDATED, Optional.of(remembered("{\"text\": \"old\"}", "it-update-1", List.of())));
        PlanQuestion question = plans.question();
        runs.set(0, run("Succeeded"));
        plans.decide(question, List.of());

        assertThat(plans(UPDATED, plans.memory()).question().plans()).containsExactly("update");
    }

    @Test
    void what_is_left_is_kept_where_a_run_that_has_failed_goes_on_while_is_decided() throws Exception {
        PlanCall left = new PlanCall("update", Map.of("number", "2"));
        runs.add(run("Failed"));
        OwnPlans plans = plans(UPDATED, Optional.of(remembered("{\"text\": \"old\"}", "it-update-1", List.of(left))));
        PlanQuestion question = plans.question();
        runs.set(0, run("Running"));
        plans.decide(question, List.of());

        assertThat(plans.next()).contains("update");
        assertThat(plans(UPDATED, plans.memory()).question().plans())
                .as("while a run goes on")
                .isEmpty();
    }

    /** The API server takes a null in a patch of the status for the wish to have nothing there. */
    @Test
    void a_field_that_is_null_is_no_change() throws Exception {
        String spec = "{\"text\": null, \"any\": {\"a\": null, \"b\": [{\"c\": null, \"d\": 1}, null]}}";
        PlanMemory memory = remembered("{\"any\": {\"b\": [{\"d\": 1}, null]}}", "", List.of());
        OwnPlans plans = plans(UPDATED, spec, Optional.of(memory));
        PlanQuestion question = plans.question();

        assertThat(question.plans()).isEmpty();
        assertThat(question.oldSpec().path("any").has("a"))
                .as("an expression that compares both sees no change")
                .isTrue();
        plans.decide(question, List.of());
        assertThat(plans.memory()).contains(memory);
    }
}

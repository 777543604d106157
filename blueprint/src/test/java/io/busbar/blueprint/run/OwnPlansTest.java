package io.busbar.blueprint.run;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.busbar.blueprint.Blueprints;
import io.busbar.reconciler.ReconcileContext;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class OwnPlansTest {

    private static final String LAST = Blueprints.with("spec: {text: string}", "") + """
              plans:
                - name: delete
                  phases: &none [{name: all, steps: [{name: none, wait: "${true}"}]}]
            """;
    private static final String FIRST_AND_LAST = LAST + "    - {name: deploy, phases: *none}\n";

    private static OwnPlans plans(String blueprint, Optional<PlanMemory> memory) throws Exception {
        GenericKubernetesResource instance = new GenericKubernetesResource();
        instance.setMetadata(
                new ObjectMetaBuilder().withNamespace("ns").withName("it").build());
        JsonNode json = new ObjectMapper().readTree("{\"spec\": {\"text\": \"a\"}}");
        // Has no runs, and is asked for nothing else.
        ReconcileContext<?> context = (ReconcileContext<?>) Proxy.newProxyInstance(
                OwnPlansTest.class.getClassLoader(),
                new Class<?>[] {ReconcileContext.class},
                (self, method, arguments) -> List.of());
        return new OwnPlans(Blueprints.checked(blueprint), instance, json, memory, context);
    }

    @Test
    void an_instance_is_not_new_to_a_blueprint_that_gains_a_first_plan_beside_its_last_one() throws Exception {
        OwnPlans before = plans(LAST, Optional.empty());
        before.decide(before.question(), List.of());

        assertThat(plans(FIRST_AND_LAST, before.memory()).question().plans()).isEmpty();
        assertThat(plans(FIRST_AND_LAST, Optional.empty()).question().plans()).containsExactly("deploy");
    }
}

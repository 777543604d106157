package io.busbar.blueprint.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.admission.AdmissionRequest;
import io.busbar.admission.FieldProblem;
import io.busbar.admission.Verdict;
import io.busbar.blueprint.v1alpha1.BlueprintRun;
import io.busbar.blueprint.v1alpha1.StoredBlueprint;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.lang.reflect.Proxy;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A Blueprint whose instances are in no namespace, and one whose instances are in one. */
class RunRulesTest {

    private static final KubernetesSerialization SERIALIZATION = new KubernetesSerialization();

    private final RunRules rules =
            new RunRules(kind -> List.of(blueprint("Wide", "Cluster"), blueprint("Near", "Namespaced")), "home");

    private static StoredBlueprint blueprint(String kind, String scope) {
        return SERIALIZATION.unmarshal("""
                apiVersion: blueprints.busbar.io/v1alpha1
                kind: Blueprint
                metadata: {name: any}
                spec:
                  schema: {apiVersion: v1, kind: %s, scope: %s}
                  plans: [{name: work}]
                """.formatted(kind, scope), StoredBlueprint.class);
    }

    private Verdict create(String kind, String namespace) {
        BlueprintRun run = SERIALIZATION.unmarshal("""
                apiVersion: blueprints.busbar.io/v1alpha1
                kind: BlueprintRun
                metadata: {name: any}
                spec: {plan: work, instance: {apiVersion: busbar.io/v1, kind: %s, name: it}}
                """.formatted(kind), BlueprintRun.class);
        // Is asked for the namespace alone.
        AdmissionRequest request = (AdmissionRequest) Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {AdmissionRequest.class},
                (self, method, arguments) -> namespace);
        return rules.create(run, request);
    }

    @Test
    void a_run_about_an_instance_in_no_namespace_must_be_where_the_accounts_are() {
        assertThat(create("Near", "anywhere").problems()).isEmpty();
        assertThat(create("Wide", "home").problems()).isEmpty();
        assertThat(create("Wide", "anywhere").problems())
                .singleElement()
                .extracting(FieldProblem::path, FieldProblem::detail)
                .containsExactly(
                        "metadata.namespace",
                        "a run about a Wide, which is in no namespace, must be in the namespace 'home'");
    }
}

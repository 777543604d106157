package io.busbar.blueprint.run;

import static io.busbar.blueprint.run.BlueprintCluster.eventually;
import static io.busbar.blueprint.run.BlueprintCluster.patch;
import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.blueprint.Blueprints;
import io.busbar.blueprint.check.CheckedBlueprint;
import io.busbar.sandbox.SandboxOptions;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

/** Objects of which nothing but metadata is read are watched by it alone, and are kept as they are to be all the same. */
@TestInstance(Lifecycle.PER_CLASS)
class MetadataWatchTest {

    private static final CheckedBlueprint BLUEPRINT =
            Blueprints.checked(Blueprints.with("""
            spec: {text: string | default=first}
            status: {address: "${port.spec.clusterIP}"}
            """, """
            - id: shared
              externalRef: {apiVersion: v1, kind: Secret, metadata: {name: shared}}
            - id: settings
              template:
                apiVersion: v1
                kind: ConfigMap
                metadata: {name: settings, annotations: {from: "${shared.metadata.uid}"}}
                data: {text: "${schema.spec.text}"}
            - id: port
              template:
                {apiVersion: v1, kind: Service, metadata: {name: port}, spec: {ports: [{port: 80}]}}
            - id: server
              template:
                apiVersion: apps/v1
                kind: Deployment
                metadata: {name: server}
                spec:
                  replicas: 1
                  selector: {matchLabels: {app: server}}
                  template:
                    metadata: {labels: {app: server}}
                    spec: {containers: [{name: server, image: "example/server:1"}]}
            """).replace("kind: Test", "kind: Thin"));

    @AutoClose
    private final BlueprintCluster cluster = new BlueprintCluster(SandboxOptions.defaults());

    @BeforeAll
    void define() {
        cluster.define(BLUEPRINT);
    }

    @Test
    void what_others_change_is_changed_back_with_no_more_requests_than_that_needs() throws Exception {
        cluster.write("apiVersion: v1\nkind: Secret\nmetadata: {name: shared, namespace: default}\n");
        cluster.write("apiVersion: busbar.io/v1\nkind: Thin\nmetadata: {name: it, namespace: default}\n");
        InterruptedProcess process = cluster.process(BLUEPRINT, Integer.MAX_VALUE);
        process.start("default");
        eventually(() -> {
            assertThat(cluster.json("busbar.io/v1", "Thin", "it")
                            .at("/status/conditions/0/status")
                            .asText())
                    .isEqualTo("True");
            assertThat(cluster.json("apps/v1", "Deployment", "server")
                            .at("/status/availableReplicas")
                            .asInt())
                    .isEqualTo(1);
        });
        assertThat(process.requests())
                .contains("GET secrets metadata", "GET configmaps metadata", "GET deployments metadata", "GET services")
                .doesNotContain("GET secrets", "GET configmaps", "GET deployments", "GET services metadata");

        assertThat(process.selected()).as("Secrets are read").containsOnly("configmaps", "deployments", "services");

        patch(cluster.object("busbar.io/v1", "Thin", "it"), "{\"spec\":{\"text\":\"second\"}}");
        eventually(() -> assertThat(text()).isEqualTo("second"));
        assertThat(process.requests())
                .as("the status of what was made has changed since, and nothing else")
                .doesNotContain("GET deployments/server", "PATCH deployments/server", "GET configmaps/settings");

        patch(cluster.object("v1", "ConfigMap", "settings"), "{\"data\":{\"text\":\"by hand\"}}");
        patch(cluster.object("apps/v1", "Deployment", "server"), "{\"spec\":{\"replicas\":2}}");
        eventually(() -> {
            assertThat(text()).isEqualTo("second");
            assertThat(cluster.json("apps/v1", "Deployment", "server")
                            .at("/spec/replicas")
                            .asInt())
                    .isEqualTo(1);
        });
        cluster.object("v1", "ConfigMap", "settings").delete();
        eventually(() -> assertThat(text()).isEqualTo("second"));
        process.end();

        patch(cluster.object("apps/v1", "Deployment", "server"), "{\"spec\":{\"replicas\":3}}");
        InterruptedProcess next = cluster.process(BLUEPRINT, Integer.MAX_VALUE);
        next.start("default");
        eventually(() -> assertThat(cluster.json("apps/v1", "Deployment", "server")
                        .at("/spec/replicas")
                        .asInt())
                .isEqualTo(1));
        patch(cluster.object("busbar.io/v1", "Thin", "it"), "{\"spec\":{\"text\":\"third\"}}");
        eventually(() -> assertThat(text()).isEqualTo("third"));
        next.end();
        assertThat(next.requests())
                .as("read once, and written as it had changed")
                .containsOnlyOnce("GET configmaps/settings", "GET deployments/server")
                .contains("PATCH deployments/server")
                .doesNotContain("PATCH services/port", "GET services/port");
    }

    @Test
    void more_than_metadata_is_read_of_what_an_expression_reads_as_a_whole_or_field_by_field() {
        assertThat(BLUEPRINT.readBeyondMetadata()).isEqualTo(Set.of("port"));
        assertThat(read("${a.metadata.name + b.data.x}", "${true}")).containsExactly("b");
        assertThat(read("${json.marshal(a) + b.metadata.?labels[?'x'].orValue('')}", "${true}"))
                .as("a as a whole")
                .containsExactly("a");
        assertThat(read("${'none'}", "${b.data.x == 'y'}")).containsExactly("b");
    }

    private static Set<String> read(String status, String readyWhen) {
        return Blueprints.checked(
                        Blueprints.with("status: {text: \"%s\"}\n".formatted(status), """
                        - id: a
                          template: {apiVersion: v1, kind: ConfigMap, metadata: {name: a}}
                        - id: b
                          readyWhen: ["%s"]
                          template: {apiVersion: v1, kind: ConfigMap, metadata: {name: b}}
                        """.formatted(readyWhen)))
                .readBeyondMetadata();
    }

    private String text() {
        return cluster.json("v1", "ConfigMap", "settings").at("/data/text").asText();
    }
}

package io.busbar.blueprint.run;

import io.busbar.blueprint.Blueprints;
import java.util.Comparator;
import java.util.List;

/** Runs of plans in a cluster, as a user makes and reads them. One thread. */
final class Runs {

    /** A resource that plans scale and delete. */
    static final String SERVER = """
            - id: server
              template:
                apiVersion: apps/v1
                kind: StatefulSet
                metadata: {name: "${schema.metadata.name}"}
                spec:
                  serviceName: ${schema.metadata.name}
                  selector: {matchLabels: {app: "${schema.metadata.name}"}}
                  template:
                    metadata: {labels: {app: "${schema.metadata.name}"}}
                    spec: {containers: [{name: server, image: "example/server:1"}]}
            """;

    /** A run about it deletes something once it is told to go. */
    static final String FORMER = Blueprints.with("", """
                    - id: words
                      externalRef:
                        apiVersion: v1
                        kind: ConfigMap
                        metadata: {name: "${schema.metadata.name}-words"}
                    """).replace("kind: Test", "kind: Former") + """
              plans:
                - name: delete
                  phases: &go
                    - name: all
                      steps:
                        - name: told
                          wait: ${words.data.text == 'go'}
                        - name: precious
                          delete: {apiVersion: v1, kind: ConfigMap, metadata: {name: "${schema.metadata.name}-precious"}}
                - name: restore
                  phases: *go
            """;

    private static final String API_VERSION = "blueprints.busbar.io/v1alpha1";

    private final BlueprintCluster cluster;

    Runs(BlueprintCluster cluster) {
        this.cluster = cluster;
    }

    void make(String name, String kind, String instance, String plan) {
        cluster.write("""
                apiVersion: blueprints.busbar.io/v1alpha1
                kind: BlueprintRun
                metadata: {name: %s, namespace: default}
                spec: {plan: %s, instance: {apiVersion: busbar.io/v1, kind: %s, name: %s}}
                """.formatted(name, plan, kind, instance));
    }

    /** What the first condition of a run says. */
    String told(String run) {
        return cluster.ready(API_VERSION, "BlueprintRun", run);
    }

    /** Of its steps. */
    List<String> states(String run) {
        return cluster.json(API_VERSION, "BlueprintRun", run)
                .at("/status/steps")
                .findValuesAsText("state");
    }

    /** The names of the runs about an instance, in the order in which they were made. */
    List<String> about(String instance) {
        return cluster
                .client()
                .genericKubernetesResources(API_VERSION, "BlueprintRun")
                .inNamespace("default")
                .list()
                .getItems()
                .stream()
                .map(run -> run.getMetadata().getName())
                .filter(name -> name.startsWith(instance + "-"))
                .sorted(Comparator.comparing((String name) -> name.substring(name.lastIndexOf('-'))))
                .toList();
    }
}

package io.busbar.reconciler.bench;

import io.busbar.reconciler.Apply;
import io.busbar.reconciler.CannedApi;
import io.busbar.reconciler.CannedApi.Answer;
import io.busbar.reconciler.MapListers;
import io.busbar.reconciler.write.ApiRequests;
import io.busbar.reconciler.write.Applier;
import io.busbar.reconciler.write.OwnWrites;
import io.busbar.reconciler.write.Schemas;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.vertx.core.json.JsonObject;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** An apply of a Deployment that has nothing to change, and makes no request. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
public class ApplyBench {

    private static final String DEPLOYMENT = """
            apiVersion: apps/v1
            kind: Deployment
            metadata: {name: app, namespace: ns, labels: {app: app}}
            spec:
              replicas: 3
              selector: {matchLabels: {app: app}}
              template:
                metadata: {labels: {app: app}}
                spec:
                  volumes: [{name: data, emptyDir: {}}]
                  containers:
                  - name: app
                    image: example/app:1
                    args: [--port, "80"]
                    env: [{name: A, value: a}, {name: B, value: b}]
                    ports: [{name: http, containerPort: 80, protocol: TCP}]
                    volumeMounts: [{name: data, mountPath: /data}]
                    resources: {limits: {cpu: 1000m, memory: 1Gi}}
            """;

    private static final String SCHEMA = """
            {"components":{"schemas":{
             "Deployment":{"x-kubernetes-group-version-kind":[{"group":"apps","version":"v1","kind":"Deployment"}],
               "properties":{"metadata":{"properties":{"ownerReferences":{"x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["uid"]}}},
                 "spec":{"properties":{"selector":{"x-kubernetes-map-type":"atomic"},"template":{"properties":{"spec":{"properties":{
                   "volumes":{"x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["name"]},
                   "containers":{"x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["name"],"items":{"$ref":"#/components/schemas/Container"}}}}}}}}}},
             "Container":{"properties":{
               "env":{"x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["name"]},
               "ports":{"x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["containerPort","protocol"]},
               "volumeMounts":{"x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["mountPath"]},
               "resources":{"properties":{"limits":{"additionalProperties":{"$ref":"#/components/schemas/io.k8s.apimachinery.pkg.api.resource.Quantity"}}}}}}}}}""";

    private final MapListers stores = new MapListers().watching(Deployment.class);
    private final Deployment desired = Serialization.unmarshal(DEPLOYMENT, Deployment.class);
    private final Apply how = Apply.standard().decidingAllOf("spec.template.spec.containers.ports");
    private final ConfigMap owner = new ConfigMapBuilder()
            .withNewMetadata()
            .withNamespace("ns")
            .withName("owner")
            .withUid("uid-owner")
            .endMetadata()
            .build();
    private CannedApi api;
    private Applier applier;
    private Deployment stored;
    private int versions = 1_000_000;

    @Setup
    public void begin() throws Exception {
        api = new CannedApi();
        api.answer(request -> switch (request.path()) {
            case "/openapi/v3" -> new Answer(200, new JsonObject("""
                    {"paths":{"apis/apps/v1":{"serverRelativeURL":"/openapi/v3/apis/apps/v1?hash=1"}}}"""));
            case "/openapi/v3/apis/apps/v1" -> new Answer(200, new JsonObject(SCHEMA));
            default -> api.echo(request);
        });
        ApiRequests requests = new ApiRequests(api.client());
        applier = new Applier(
                "bench", requests, new Schemas(requests, System::nanoTime), stores, new OwnWrites(stores), Set.of());
        stored = applier.apply(desired, owner, how);
        stores.put(stored);
    }

    @TearDown
    public void end() throws Exception {
        long requests = api.received().stream()
                .filter(request -> !request.path().startsWith("/openapi"))
                .count();
        api.close();
        if (requests != 1) {
            throw new IllegalStateException("there was something to change: " + requests + " requests");
        }
    }

    /** Nobody has written to the object. */
    @Benchmark
    public Deployment asLeft() {
        return applier.apply(desired, owner, how);
    }

    /** The object has another version each time, as when its status changes. */
    @Benchmark
    public Deployment changedByOthers() {
        stored.getMetadata().setResourceVersion(Integer.toString(versions++));
        return applier.apply(desired, owner, how);
    }
}

package io.busbar.operator.sidecarset.inject;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.admission.AdmissionDecision;
import io.busbar.admission.AdmissionRequest;
import io.busbar.operator.sidecarset.StoredObjects;
import io.busbar.operator.sidecarset.Yaml;
import io.busbar.operator.sidecarset.v1beta1.SidecarSet;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;

/**
 * What the rule for Pods costs by itself, in microseconds a review: a Pod of about 7 KB, several sets of which one
 * matches. Objects are decoded from bytes when the rule asks for them, as the server does it; reading the review and
 * writing the answer are not counted.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@State(Scope.Benchmark)
@Fork(1)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
public class PodInjectionBenchmark {

    private static final ObjectMapper JSON = new ObjectMapper();

    @Param({"1", "50", "1000"})
    int sets;

    /** What sets require: a value of one label, a label of their own, or only another namespace. */
    @Param({"value", "label", "namespace"})
    String filing;

    private PodInjection rule;
    private Encoded matching;
    private Encoded other;

    public static void main(String[] arguments) throws RunnerException {
        new Runner(new OptionsBuilder()
                        .include(PodInjectionBenchmark.class.getSimpleName())
                        .build())
                .run();
    }

    @Setup
    public void compileSets() throws IOException {
        StoredObjects<SidecarSet> stored = new StoredObjects<>();
        for (int i = 0; i < sets; i++) {
            stored.put(set(i, filing));
        }
        StoredObjects<Namespace> namespaces = new StoredObjects<>();
        namespaces.put(new NamespaceBuilder()
                .withNewMetadata()
                .withName("shop")
                .endMetadata()
                .build());
        SidecarSetFeed feed = new SidecarSetFeed(stored, (set, wanted) -> Optional.empty());
        feed.rebuild();
        rule = new PodInjection(feed, namespaces, Set.of("kube-system"), Clock.systemUTC());
        matching = Encoded.of(pod("app-0"));
        other = Encoded.of(pod("nobody"));
    }

    @Benchmark
    public AdmissionDecision oneSetMatches() {
        return rule.review(new LazyReview(matching));
    }

    @Benchmark
    public AdmissionDecision noSetMatches() {
        return rule.review(new LazyReview(other));
    }

    /** What any rule would pay that looks at the whole Pod. */
    @Benchmark
    public ObjectNode decodingThePod() {
        return new LazyReview(matching).object();
    }

    private static SidecarSet set(int number, String filing) {
        return Yaml.set("set-" + number, """
                %2$s
                containers:
                - name: mesh-%1$d
                  image: depot/mesh:1.2.3
                  env: [{name: MODE, value: strict}]
                  resources: {requests: {cpu: 100m, memory: 128Mi}, limits: {cpu: 500m, memory: 256Mi}}
                  volumeMounts: [{name: certs-%1$d, mountPath: /etc/certs, readOnly: true}]
                - {name: log-%1$d, image: "depot/log:4", podInjectPolicy: AfterAppContainer}
                volumes: [{name: certs-%1$d, secret: {secretName: certs}}]
                imagePullSecrets: [{name: depot}]
                """.formatted(
                        number, number == 0 ? "selector: {matchLabels: {app: app-0}}" : selector(number, filing)));
    }

    private static String selector(int number, String filing) {
        return switch (filing) {
            case "label" -> "selector: {matchLabels: {app-" + number + ": 'yes'}}";
            case "namespace" ->
                "selector: {matchExpressions: [{key: app, operator: Exists}]}\nnamespaceSelector: {matchLabels: {kubernetes.io/metadata.name: other-"
                        + number + "}}";
            default -> "selector: {matchLabels: {app: app-" + number + "}}";
        };
    }

    /** About 7 KB, as a Deployment of some size has them. */
    private static ObjectNode pod(String app) {
        ObjectNode pod = JSON.createObjectNode().put("apiVersion", "v1").put("kind", "Pod");
        ObjectNode metadata = pod.putObject("metadata").put("generateName", "checkout-7d9f6c5b8-");
        metadata.putObject("labels").put("app", app).put("pod-template-hash", "7d9f6c5b8");
        ObjectNode annotations = metadata.putObject("annotations");
        for (int i = 0; i < 8; i++) {
            annotations.put("team.example/annotation-" + i, "a value of some forty characters, number " + i);
        }
        ObjectNode spec = pod.putObject("spec").put("serviceAccountName", "checkout");
        var containers = spec.putArray("containers");
        for (int c = 0; c < 3; c++) {
            ObjectNode container = containers
                    .addObject()
                    .put("name", "container-" + c)
                    .put("image", "registry.example.com/shop/service-" + c + ":1.42.7");
            var env = container.putArray("env");
            for (int e = 0; e < 18; e++) {
                env.addObject()
                        .put("name", "VARIABLE_" + e)
                        .put("value", "value of variable number " + e + " of container " + c);
            }
            container
                    .putArray("volumeMounts")
                    .addObject()
                    .put("name", "data-" + c)
                    .put("mountPath", "/var/data");
        }
        var volumes = spec.putArray("volumes");
        for (int v = 0; v < 6; v++) {
            volumes.addObject().put("name", "data-" + v).putObject("emptyDir");
        }
        return pod;
    }

    /** The bytes of an object, and those of its metadata. */
    private record Encoded(byte[] object, byte[] metadata) {

        static Encoded of(ObjectNode object) throws IOException {
            return new Encoded(JSON.writeValueAsBytes(object), JSON.writeValueAsBytes(object.path("metadata")));
        }
    }

    private record LazyReview(Encoded encoded) implements AdmissionRequest {

        @Override
        public ObjectNode metadata() {
            return decoded(encoded.metadata());
        }

        @Override
        public ObjectNode object() {
            return decoded(encoded.object());
        }

        private static ObjectNode decoded(byte[] bytes) {
            try {
                return (ObjectNode) JSON.readTree(bytes);
            } catch (IOException impossible) {
                throw new UncheckedIOException(impossible);
            }
        }

        @Override
        public Operation operation() {
            return Operation.CREATE;
        }

        @Override
        public String resource() {
            return "pods";
        }

        @Override
        public String subResource() {
            return "";
        }

        @Override
        public String namespace() {
            return "shop";
        }

        @Override
        public ObjectNode oldObject() {
            return null;
        }

        @Override
        public String uid() {
            return "1";
        }

        @Override
        public String name() {
            return "";
        }

        @Override
        public boolean dryRun() {
            return false;
        }

        @Override
        public String username() {
            return "";
        }

        @Override
        public List<String> groups() {
            return List.of();
        }
    }
}

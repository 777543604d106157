package io.busbar.runtime.scorecard;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.common.api.ApiFailure;
import io.busbar.manifests.scorecard.BundleFolder;
import io.busbar.manifests.scorecard.Scorecard;
import io.busbar.manifests.scorecard.TestResult;
import io.busbar.runtime.scorecard.Progress.Readiness;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/**
 * The custom resources that a bundle offers to start from, created in a cluster all together, in a namespace of their
 * own.
 *
 * <p>For a plain thread: it blocks.
 */
public final class LiveSamples implements AutoCloseable {

    static final String ACCEPTED = "live-sample-accepted";
    static final String WRITTEN = "live-status-written";
    static final String READY = "live-sample-ready";

    private static final ObjectMapper JSON = new ObjectMapper();

    private final KubernetesClient client;
    private final BundleFolder bundle;
    private final Setting setting;
    private final Duration patience;
    private final String namespace = "scorecard-" + UUID.randomUUID().toString().substring(0, 8);
    private final Map<ObjectNode, Made> made = new LinkedHashMap<>();
    /** Why definitions were refused, by their names. */
    private Map<String, String> refused = Map.of();

    /**
     * Where it happens.
     *
     * @param simulated whether no container runs there
     * @param definesKinds whether the definitions of the bundle are to be installed there first
     * @param operatorMissing why it seems that nobody acts on samples, if it does
     */
    public record Setting(boolean simulated, boolean definesKinds, Optional<String> operatorMissing) {}

    /**
     * What became of a sample.
     *
     * @param outcome of its creation
     * @param resource where it is; empty if it was not created
     * @param since when it was tried
     */
    private record Made(TestResult outcome, Optional<Resource<GenericKubernetesResource>> resource, Instant since) {

        private Made(TestResult outcome, Optional<Resource<GenericKubernetesResource>> resource) {
            this(outcome, resource, Instant.now());
        }
    }

    /**
     * Creates nothing yet.
     *
     * @param patience how long samples are waited for, from when they were created
     */
    public LiveSamples(KubernetesClient client, BundleFolder bundle, Setting setting, Duration patience) {
        this.client = client;
        this.bundle = bundle;
        this.setting = setting;
        this.patience = patience;
    }

    /** Tries a sample. */
    public interface Trial {

        List<TestResult> of(ObjectNode sample) throws Exception;
    }

    /**
     * Adds a test for each sample.
     *
     * @param asked whether somebody wants them tried
     */
    public static void addTo(Scorecard scorecard, BundleFolder bundle, boolean asked, Trial trial) {
        for (ObjectNode sample : bundle.examples()) {
            Map<String, String> labels = Map.of(
                    Scorecard.SUITE,
                    "live",
                    Scorecard.TEST,
                    "live-sample-test",
                    "kind",
                    sample.path("kind").asText(),
                    "sample",
                    name(sample));
            scorecard.add(labels, asked, () -> trial.of(sample));
        }
    }

    /** That nothing of a sample was tried. */
    public static List<TestResult> notRun(String reason) {
        return List.of(TestResult.notRun("live-sample", reason));
    }

    /**
     * What has come of one, at the latest when the time is over. The first call creates all samples but those that are
     * there in another version: these come in the place of that one, when they are asked for.
     *
     * @throws KubernetesClientException when the API server does not answer
     */
    public List<TestResult> results(ObjectNode sample) {
        if (made.isEmpty()) {
            createAll();
        }
        if (!made.containsKey(sample)) {
            otherVersion(sample).ifPresent(other -> replace(other, sample));
        }
        Made one = made.get(sample);
        if (one == null || one.resource().isEmpty()) {
            return List.of(
                    one == null ? TestResult.notRun(ACCEPTED, "it is no sample of the bundle") : one.outcome(),
                    TestResult.notRun(WRITTEN, "it was not created"),
                    TestResult.notRun(READY, "it was not created"));
        }
        Optional<String> missing = setting.operatorMissing();
        if (missing.isPresent() && setting.simulated()) {
            return untold(one, missing.get());
        }
        Progress progress = waited(one.resource().get(), one.since());
        if (missing.isPresent() && !progress.written()) {
            return untold(one, missing.get());
        }
        return List.of(one.outcome(), written(progress), ready(progress));
    }

    private static List<TestResult> untold(Made one, String reason) {
        return List.of(one.outcome(), TestResult.notRun(WRITTEN, reason), TestResult.notRun(READY, reason));
    }

    private TestResult written(Progress progress) {
        List<String> errors = progress.written() ? List.of() : List.of(progress.told() + after());
        return TestResult.of(WRITTEN, List.of(), errors, List.of());
    }

    private TestResult ready(Progress progress) {
        if (progress.readiness() == Readiness.READY) {
            return TestResult.of(READY, List.of(progress.told()), List.of(), List.of());
        }
        if (progress.readiness() == Readiness.UNTOLD) {
            return TestResult.notRun(READY, progress.told());
        }
        if (progress.written() && setting.simulated()) {
            return TestResult.notRun(
                    READY,
                    "no container runs on a sandbox, so whether it would become ready is not known: " + progress.told()
                            + after());
        }
        return TestResult.of(READY, List.of(), List.of(progress.told() + after()), List.of());
    }

    private String after() {
        return ", after " + patience.toSeconds() + " s";
    }

    private Progress waited(Resource<GenericKubernetesResource> resource, Instant since) {
        long left = Duration.between(Instant.now(), since.plus(patience)).toMillis();
        try {
            resource.waitUntilCondition(
                    object -> object != null
                            && Progress.of(JSON.valueToTree(object)).readiness() == Readiness.READY,
                    Math.max(left, 1),
                    TimeUnit.MILLISECONDS);
        } catch (KubernetesClientException late) {
            // What there is now is what counts.
        }
        return Progress.of(JSON.valueToTree(resource.get()));
    }

    private void createAll() {
        client.resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(namespace)
                        .endMetadata()
                        .build())
                .create();
        refused = setting.definesKinds() ? defineKinds() : Map.of();
        for (ObjectNode sample : bundle.examples()) {
            if (otherVersion(sample).isEmpty()) {
                made.put(sample, create(sample));
            }
        }
    }

    /** What was made that is the same object to an API server. */
    private Optional<ObjectNode> otherVersion(ObjectNode sample) {
        return made.keySet().stream()
                .filter(other -> name(other).equals(name(sample))
                        && other.path("kind").equals(sample.path("kind"))
                        && group(other).equals(group(sample)))
                .findFirst();
    }

    private void replace(ObjectNode other, ObjectNode sample) {
        Optional.ofNullable(made.get(other)).flatMap(Made::resource).ifPresent(resource -> {
            resource.delete();
            try {
                resource.waitUntilCondition(Objects::isNull, patience.toMillis(), TimeUnit.MILLISECONDS);
            } catch (KubernetesClientException late) {
                // It is found to be there.
            }
        });
        made.put(sample, create(sample));
    }

    /** Why a definition was refused, by its name. */
    private Map<String, String> defineKinds() {
        Map<String, String> problems = new LinkedHashMap<>();
        for (ObjectNode definition : bundle.definitions()) {
            ObjectNode unconverted = definition.deepCopy();
            if (setting.operatorMissing().isPresent()) {
                // Nobody would answer.
                unconverted.withObject("/spec").remove("conversion");
            }
            String name = definition.at("/metadata/name").asText();
            try {
                Resource<GenericKubernetesResource> resource =
                        client.resource(JSON.convertValue(unconverted, GenericKubernetesResource.class));
                resource.create();
                resource.waitUntilCondition(LiveSamples::isEstablished, patience.toMillis(), TimeUnit.MILLISECONDS);
            } catch (KubernetesClientException refusal) {
                problems.put(name, ApiFailure.reason(refusal));
            }
        }
        return problems;
    }

    private static boolean isEstablished(GenericKubernetesResource definition) {
        return Progress.of(JSON.valueToTree(definition)).told().startsWith("Established is True");
    }

    private Made create(ObjectNode sample) {
        Optional<ObjectNode> definition = bundle.definitions().stream()
                .filter(one -> one.at("/spec/names/kind").equals(sample.path("kind")))
                .filter(one -> sample.path("apiVersion")
                        .asText()
                        .startsWith(one.at("/spec/group").asText() + "/"))
                .findFirst();
        if (definition.isEmpty()) {
            return new Made(TestResult.notRun(ACCEPTED, "the bundle does not define its kind"), Optional.empty());
        }
        String name = definition.get().at("/metadata/name").asText();
        if (refused.containsKey(name)) {
            return failed("the definition " + name + " is refused: " + refused.get(name));
        }
        Resource<GenericKubernetesResource> resource = resource(definition.get(), sample);
        try {
            if (resource.get() != null) {
                return new Made(
                        TestResult.notRun(ACCEPTED, name(sample) + " is there already and not touched"),
                        Optional.empty());
            }
            resource.create();
            return new Made(TestResult.of(ACCEPTED, List.of(), List.of(), List.of()), Optional.of(resource));
        } catch (KubernetesClientException refusal) {
            return refusal.getCode() == HttpURLConnection.HTTP_NOT_FOUND
                    ? new Made(
                            TestResult.notRun(ACCEPTED, "the definition " + name + " is not installed"),
                            Optional.empty())
                    : failed(ApiFailure.reason(refusal));
        }
    }

    private static Made failed(String reason) {
        return new Made(TestResult.of(ACCEPTED, List.of(), List.of(reason), List.of()), Optional.empty());
    }

    private Resource<GenericKubernetesResource> resource(ObjectNode definition, ObjectNode sample) {
        boolean namespaced = definition.at("/spec/scope").asText().equals("Namespaced");
        GenericKubernetesResource object = JSON.convertValue(sample, GenericKubernetesResource.class);
        object.getMetadata().setNamespace(namespaced ? namespace : null);
        ResourceDefinitionContext context = new ResourceDefinitionContext.Builder()
                .withGroup(definition.at("/spec/group").asText())
                .withVersion(sample.path("apiVersion").asText().replaceFirst(".*/", ""))
                .withKind(sample.path("kind").asText())
                .withPlural(definition.at("/spec/names/plural").asText())
                .withNamespaced(namespaced)
                .build();
        return namespaced
                ? client.genericKubernetesResources(context)
                        .inNamespace(namespace)
                        .resource(object)
                : client.genericKubernetesResources(context).resource(object);
    }

    private static String group(JsonNode sample) {
        return sample.path("apiVersion").asText().replaceFirst("/.*", "");
    }

    private static String name(JsonNode sample) {
        return sample.at("/metadata/name").asText();
    }

    /** Deletes what was created, without waiting until it is gone. */
    @Override
    public void close() {
        if (made.isEmpty() || setting.simulated()) {
            return;
        }
        List<Made> all = new ArrayList<>(made.values());
        all.forEach(one -> one.resource().ifPresent(Resource::delete));
        client.namespaces().withName(namespace).delete();
    }
}

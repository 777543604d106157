package io.busbar.blueprint.run;

import static io.busbar.blueprint.run.BlueprintCluster.json;
import static io.busbar.blueprint.run.BlueprintCluster.patch;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.busbar.blueprint.Blueprints;
import io.busbar.blueprint.check.CheckedBlueprint;
import io.busbar.sandbox.SandboxOptions;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

/**
 * What an instance was made of goes when a new revision makes no more of it, if of a kind that nobody watches any more:
 * whichever write is the last of a process, and also what was made before there were ApplySets.
 */
@TestInstance(Lifecycle.PER_CLASS)
class PruningTest {

    private static final int NEVER = Integer.MAX_VALUE;

    private static final String WORDS = """
            - id: words
              template:
                apiVersion: v1
                kind: ConfigMap
                metadata: {name: words}
                data: {text: "${schema.spec.text}"}
            """;
    private static final String FORMER = """
            - id: hidden
              template: {apiVersion: v1, kind: Secret, metadata: {name: hidden}, stringData: {text: "${words.data.text}"}}
            - id: door
              template: {apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: {name: door}, spec: {}}
            """;
    private static final CheckedBlueprint FIRST = blueprint(WORDS + FORMER);
    /** What reads the words waits. */
    private static final CheckedBlueprint STUCK =
            blueprint(WORDS + "  readyWhen: [\"${words.data.text == 'never'}\"]\n" + FORMER);

    private static final CheckedBlueprint SECOND = blueprint(WORDS + """
            - id: account
              template: {apiVersion: v1, kind: ServiceAccount, metadata: {name: account}}
            """);

    /** The same, and the account waits. */
    private static final CheckedBlueprint LATE = blueprint(WORDS + """
              readyWhen: ["${words.data.text == 'never'}"]
            - id: account
              template: {apiVersion: v1, kind: ServiceAccount, metadata: {name: "${words.data.text}"}}
            """);

    @AutoClose
    private final BlueprintCluster cluster = new BlueprintCluster(SandboxOptions.defaults());

    private static CheckedBlueprint blueprint(String resources) {
        return Blueprints.checked(Blueprints.with("spec: {text: string | default=first}\n", resources)
                .replace("kind: Test", "kind: Pruned"));
    }

    @BeforeAll
    void define() {
        cluster.define(FIRST);
    }

    @Test
    void comes_to_the_same_whichever_write_is_the_last_of_a_process() throws Exception {
        Story undisturbed = new Story("undisturbed");
        undisturbed.tell(NEVER, NEVER);
        assertThat(undisturbed.firstWrites)
                .as("instance, three objects, status")
                .isEqualTo(5);
        assertThat(undisturbed.secondWrites)
                .as("instance, one object made, two deleted, instance")
                .isEqualTo(5);
        ExecutorService threads = Executors.newFixedThreadPool(10);
        try {
            List<Future<?>> stories = new ArrayList<>();
            for (int last = 1; last <= 5; last++) {
                int write = last;
                stories.add(threads.submit(() -> new Story("first-" + write).tell(write, NEVER)));
                stories.add(threads.submit(() -> new Story("second-" + write).tell(NEVER, write)));
            }
            for (Future<?> story : stories) {
                story.get();
            }
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void what_was_made_without_a_set_becomes_a_part_of_it_with_one_write_each() throws Exception {
        Story story = new Story("upgraded");
        story.begin();
        story.run(FIRST, NEVER, story::isMade);
        patch(story.object("busbar.io/v1", "Pruned", "it"), "{\"metadata\":{\"labels\":null,\"annotations\":null}}");
        for (Resource<GenericKubernetesResource> object : story.made()) {
            patch(object, "{\"metadata\":{\"labels\":{\"applyset.kubernetes.io/part-of\":null}}}");
        }

        InterruptedProcess process = story.run(STUCK, NEVER, () -> {
            assertThat(story.instance().path("status").toString()).contains("Waiting");
            assertThat(story.made()).allSatisfy(story::isPart);
        });
        assertThat(process.writes()).as("instance, three objects, status").isEqualTo(5);
        story.run(SECOND, NEVER, story::isPruned);
    }

    @Test
    void kinds_that_are_made_no_more_are_listed_once_when_nothing_waits() throws Exception {
        Story story = new Story("late");
        story.begin();
        story.run(FIRST, NEVER, story::isMade);
        InterruptedProcess waiting = story.run(
                LATE,
                NEVER,
                () -> assertThat(story.instance().path("status").toString()).contains("Waiting"));
        assertThat(waiting.requests()).doesNotContain("GET secrets");
        assertThat(story.object("v1", "Secret", "hidden").get()).isNotNull();

        InterruptedProcess last = story.run(SECOND, NEVER, story::isPruned);
        assertThat(last.requests()).containsOnlyOnce("GET secrets", "GET poddisruptionbudgets");
    }

    /** One instance, in a namespace of its own. */
    private final class Story {

        private final String namespace;
        private int firstWrites;
        private int secondWrites;

        Story(String namespace) {
            this.namespace = namespace;
        }

        Void tell(int lastOfFirst, int lastOfSecond) throws Exception {
            begin();
            firstWrites = run(FIRST, lastOfFirst, this::isMade).writes();
            cluster.write("""
                    apiVersion: v1
                    kind: Secret
                    metadata:
                      name: foreign
                      namespace: %s
                      labels: {applyset.kubernetes.io/part-of: "%s", blueprints.busbar.io/resource: hidden}
                    """.formatted(namespace, label(instance(), "id")));
            secondWrites = run(SECOND, lastOfSecond, this::isPruned).writes();
            assertThat(object("v1", "Secret", "foreign").get()).isNotNull();
            return null;
        }

        void begin() {
            cluster.createNamespace(namespace);
            cluster.write("""
                    apiVersion: busbar.io/v1
                    kind: Pruned
                    metadata: {name: it, namespace: %s}
                    """.formatted(namespace));
        }

        /**
         * Runs processes until something holds: another one where one has ended.
         *
         * @return the first, which has ended
         */
        InterruptedProcess run(CheckedBlueprint blueprint, int lastWrite, ThrowingRunnable until) throws Exception {
            InterruptedProcess first = cluster.process(blueprint, lastWrite);
            List<InterruptedProcess> processes = new ArrayList<>(List.of(first));
            first.start(namespace);
            try {
                await(namespace).atMost(Duration.ofSeconds(60)).untilAsserted(() -> {
                    if (processes.get(0).hasEnded()) {
                        processes.get(0).end();
                        processes.add(0, cluster.process(blueprint, NEVER));
                        processes.get(0).start(namespace);
                    }
                    until.run();
                });
            } finally {
                processes.get(0).end();
            }
            return first;
        }

        void isMade() {
            assertThat(made()).allSatisfy(this::isPart);
            assertThat(annotation("contains-group-kinds")).isEqualTo("ConfigMap,PodDisruptionBudget.policy,Secret");
            assertThat(annotation("tooling")).isEqualTo("busbar/dev");
            assertThat(instance().at("/status/conditions/0/status").asText()).isEqualTo("True");
        }

        void isPart(Resource<GenericKubernetesResource> object) {
            assertThat(object.get()).isNotNull();
            assertThat(label(json(object), "part-of")).startsWith("applyset-").isEqualTo(label(instance(), "id"));
        }

        void isPruned() {
            assertThat(object("v1", "Secret", "hidden").get()).isNull();
            assertThat(object("policy/v1", "PodDisruptionBudget", "door").get()).isNull();
            assertThat(object("v1", "ConfigMap", "words").get()).isNotNull();
            assertThat(object("v1", "ServiceAccount", "account").get()).isNotNull();
            assertThat(annotation("contains-group-kinds")).isEqualTo("ConfigMap,ServiceAccount");
            assertThat(instance().at("/status/conditions/0/status").asText()).isEqualTo("True");
        }

        List<Resource<GenericKubernetesResource>> made() {
            return List.of(
                    object("v1", "ConfigMap", "words"),
                    object("v1", "Secret", "hidden"),
                    object("policy/v1", "PodDisruptionBudget", "door"));
        }

        JsonNode instance() {
            return json(object("busbar.io/v1", "Pruned", "it"));
        }

        String label(JsonNode object, String name) {
            return object.path("metadata")
                    .path("labels")
                    .path("applyset.kubernetes.io/" + name)
                    .asText();
        }

        private String annotation(String name) {
            return instance()
                    .path("metadata")
                    .path("annotations")
                    .path("applyset.kubernetes.io/" + name)
                    .asText();
        }

        Resource<GenericKubernetesResource> object(String apiVersion, String kind, String name) {
            return cluster.object(apiVersion, kind, namespace, name);
        }
    }
}

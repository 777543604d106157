package io.busbar.blueprint.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.busbar.blueprint.Blueprints;
import io.busbar.blueprint.check.CheckedBlueprint;
import io.busbar.blueprint.v1alpha1.BlueprintRun;
import io.busbar.manifests.crd.CrdGenerator;
import io.busbar.runtime.assembly.Installation;
import io.busbar.sandbox.SandboxOptions;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.Watch;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
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
 * A process that ends after any of its writes, as one does that is killed, is followed by one that goes on: the plans of
 * an instance are carried out once each, from its first one to the one before it goes.
 */
@TestInstance(Lifecycle.PER_CLASS)
class InterruptedPlansTest {

    private static final int AT_ONCE = 12;

    private static final CheckedBlueprint BLUEPRINT =
            Blueprints.checked(Blueprints.with("""
                    spec:
                      text: string | default=first
                    status:
                      text: ${words.data.text}
                    """, """
                    - id: words
                      template:
                        apiVersion: v1
                        kind: ConfigMap
                        metadata: {name: words}
                        data: {text: "${schema.spec.text}"}
                    """).replace("kind: Test", "kind: Held") + """
              plans:
                - name: deploy
                  phases:
                    - name: all
                      steps:
                        - name: mark
                          apply: {apiVersion: v1, kind: ConfigMap, metadata: {name: mark}, data: {by: "${run.name}"}}
                        - name: work
                          job:
                            spec:
                              template:
                                metadata: {annotations: {fake-kubelet/exit-code: "0"}}
                                spec: {restartPolicy: Never, containers: [{name: a, image: "a:1"}]}
                        - name: unmark
                          delete: {apiVersion: v1, kind: ConfigMap, metadata: {name: mark}}
                - name: count
                  trigger: ${self.spec.text != oldSelf.spec.text}
                  parameters: {before: "${oldSelf.spec.text}"}
                  phases:
                    - name: all
                      steps:
                        - name: note
                          patch:
                            apiVersion: v1
                            kind: ConfigMap
                            metadata: {name: words}
                            data: {noted: "${run.parameters.before}"}
                - name: delete
                  phases:
                    - name: all
                      steps:
                        - name: last
                          apply:
                            apiVersion: v1
                            kind: ConfigMap
                            metadata: {name: last, ownerReferences: []}
                            data: {by: "${run.name}"}
            """);

    @AutoClose
    private final BlueprintCluster cluster = new BlueprintCluster(SandboxOptions.defaults());

    @BeforeAll
    void define() {
        CrdGenerator.generate(List.of(BlueprintRun.class))
                .forEach(kind -> Installation.install(cluster.client(), kind));
        cluster.define(BLUEPRINT);
    }

    @Test
    void each_plan_is_carried_out_once_whichever_write_is_the_last_of_a_process() throws Exception {
        int writes = new Story(Integer.MAX_VALUE).tell();
        assertThat(writes).isGreaterThan(15);
        ExecutorService threads = Executors.newFixedThreadPool(AT_ONCE);
        try {
            List<Future<Integer>> stories = new ArrayList<>();
            for (int last = 1; last <= writes; last++) {
                Story story = new Story(last);
                stories.add(threads.submit(story::tell));
            }
            for (Future<Integer> story : stories) {
                story.get();
            }
        } finally {
            threads.shutdownNow();
        }
    }

    /** One instance, in a namespace of its own, from its beginning to its end. */
    private final class Story {

        private final String namespace;
        private final Set<String> jobs = ConcurrentHashMap.newKeySet();
        private InterruptedProcess life;

        Story(int lastWrite) {
            this.namespace = lastWrite == Integer.MAX_VALUE ? "undisturbed" : "ends-after-" + lastWrite;
            this.life = process(lastWrite);
        }

        private InterruptedProcess process(int lastWrite) {
            return cluster.process(BLUEPRINT, lastWrite);
        }

        /** @return how many writes the first process has made */
        int tell() throws Exception {
            cluster.createNamespace(namespace);
            Watch made =
                    cluster.client().batch().v1().jobs().inNamespace(namespace).watch(uidsOf(jobs));
            try {
                writeTwin();
                life.start(namespace);
                write("first");
                eventually(() -> assertThat(runs()).isEqualTo(Map.of("it-deploy-2", "Succeeded")));
                write("second");
                eventually(() -> {
                    assertThat(runs()).isEqualTo(Map.of("it-deploy-2", "Succeeded", "it-count-3", "Succeeded"));
                    assertThat(ready()).isEqualTo("True Ready all resources are ready");
                });
                assertThat(configMap("words").getData()).isEqualTo(Map.of("text", "second", "noted", "first"));
                assertThat(configMap("mark")).isNull();
                instance().delete();
                eventually(() -> assertThat(instance().get()).isNull());
                assertThat(configMap("last")).isNotNull();
                eventually(() -> assertThat(runs()).isEmpty());
                assertThat(jobs).as("Jobs that were made").hasSize(1);
                return life.writes();
            } finally {
                made.close();
                life.end();
            }
        }

        /** Starts another process where one has ended. */
        private void eventually(ThrowingRunnable assertion) {
            await(namespace).atMost(Duration.ofSeconds(60)).untilAsserted(() -> {
                if (life.hasEnded()) {
                    life.end();
                    life = process(Integer.MAX_VALUE);
                    life.start(namespace);
                }
                assertion.run();
            });
        }

        private void write(String text) {
            cluster.write("""
                    apiVersion: busbar.io/v1
                    kind: Held
                    metadata: {name: it, namespace: %s}
                    spec: {text: %s}
                    """.formatted(namespace, text));
        }

        /** A run of an instance of another kind has the name that the first one would have. */
        private void writeTwin() {
            cluster.write("""
                    apiVersion: blueprints.busbar.io/v1alpha1
                    kind: BlueprintRun
                    metadata: {name: it-deploy-1, namespace: %s}
                    spec: {plan: deploy, instance: {apiVersion: busbar.io/v1, kind: Twin, name: it}}
                    """.formatted(namespace));
        }

        private Resource<GenericKubernetesResource> instance() {
            return cluster.object("busbar.io/v1", "Held", namespace, "it");
        }

        private String ready() {
            return BlueprintCluster.ready(BlueprintCluster.json(instance()));
        }

        /** The phases of all its runs, by their names. */
        private Map<String, String> runs() {
            Map<String, String> phases = new ConcurrentHashMap<>();
            cluster.client().resources(BlueprintRun.class).inNamespace(namespace).list().getItems().stream()
                    .filter(run -> run.getSpec().instance().kind().equals("Held"))
                    .forEach(run -> phases.put(
                            run.getMetadata().getName(),
                            run.getStatus() == null || run.getStatus().phase() == null
                                    ? ""
                                    : run.getStatus().phase()));
            return phases;
        }

        private ConfigMap configMap(String name) {
            return cluster.client()
                    .configMaps()
                    .inNamespace(namespace)
                    .withName(name)
                    .get();
        }
    }

    private static Watcher<Job> uidsOf(Set<String> uids) {
        return new Watcher<>() {
            @Override
            public void eventReceived(Action action, Job job) {
                uids.add(job.getMetadata().getUid());
            }

            @Override
            public void onClose(WatcherException cause) {}
        };
    }
}

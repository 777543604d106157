package io.busbar.sandbox.kubelet;

import static io.busbar.sandbox.Json.json;
import static io.busbar.sandbox.Json.object;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PodLifeTest {

    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    @Test
    void runs_and_is_ready_at_once() {
        JsonNode status = after(pod("{}", "containers: [{name: 'a', image: 'nginx'}]"));

        assertThat(status.path("phase").asText()).isEqualTo("Running");
        assertThat(status.path("podIP").asText()).isEqualTo("10.128.0.1");
        assertThat(status.path("hostIP").asText()).isEqualTo("10.0.0.1");
        assertThat(conditions(status)).isEqualTo("PodScheduled=True Initialized=True ContainersReady=True Ready=True");
        JsonNode container = status.at("/containerStatuses/0");
        assertThat(container.path("ready").asBoolean()).isTrue();
        assertThat(container.path("restartCount").asInt()).isZero();
        assertThat(container.at("/state/running/startedAt").asText()).isEqualTo("2026-01-01T00:00:00Z");
        assertThat(container.path("imageID").asText()).startsWith("sandbox://nginx@sha256:");
        assertThat(container.path("containerID").asText()).startsWith("sandbox://");
    }

    @Test
    void a_changed_image_restarts_that_container_in_place() {
        ObjectNode pod = pod("{}", "containers: [{name: 'a', image: 'x:1'}, {name: 'b', image: 'y:1'}]");
        ObjectNode running = with(pod, after(pod));
        ((ObjectNode) running.at("/spec/containers/0")).put("image", "x:2");

        JsonNode status = at(running, 60).status();

        assertThat(status.at("/containerStatuses/0/restartCount").asInt()).isEqualTo(1);
        assertThat(status.at("/containerStatuses/0/image").asText()).isEqualTo("x:2");
        assertThat(status.at("/containerStatuses/0/imageID"))
                .isNotEqualTo(running.at("/status/containerStatuses/0/imageID"));
        assertThat(status.at("/containerStatuses/0/lastState/terminated/containerID"))
                .isEqualTo(running.at("/status/containerStatuses/0/containerID"));
        assertThat(status.at("/containerStatuses/0/state/running/startedAt").asText())
                .isEqualTo("2026-01-01T00:01:00Z");
        assertThat(status.at("/containerStatuses/1")).isEqualTo(running.at("/status/containerStatuses/1"));
        assertThat(status.path("podIP")).isEqualTo(running.at("/status/podIP"));
    }

    @Test
    void init_containers_have_ended_and_sidecars_run() {
        JsonNode status = after(pod(
                "{}",
                "initContainers: [{name: 'i', image: 'x'}, {name: 's', image: 'y', restartPolicy: 'Always'}],"
                        + " containers: [{name: 'a', image: 'z'}]"));

        assertThat(status.at("/initContainerStatuses/0/state/terminated/exitCode")
                        .asInt(-1))
                .isZero();
        assertThat(status.at("/initContainerStatuses/0/ready").asBoolean()).isTrue();
        assertThat(status.at("/initContainerStatuses/1/state").has("running")).isTrue();
    }

    @Test
    void a_closed_readiness_gate_keeps_a_pod_from_being_ready() {
        ObjectNode pod = pod(
                "{}", "readinessGates: [{conditionType: 'example.com/gate'}], containers: [{name: 'a', image: 'x'}]");
        ObjectNode running = with(pod, after(pod));
        assertThat(conditions(running.get("status"))).endsWith("ContainersReady=True Ready=False");

        ((ObjectNode) running.get("status"))
                .withArrayProperty("conditions")
                .addObject()
                .put("type", "example.com/gate")
                .put("status", "True");

        assertThat(conditions(at(running, 1).status())).contains("Ready=True example.com/gate=True");
    }

    @Test
    void is_held_back_and_delayed_by_annotation() {
        assertThat(at(pod("{'fake-kubelet/hold': 'true'}", "containers: [{name: 'a', image: 'x'}]"), 0))
                .isEqualTo(new PodLife.Step(object("{phase: 'Pending'}"), Optional.empty()));

        ObjectNode delayed = pod("{'fake-kubelet/delay': '5'}", "containers: [{name: 'a', image: 'x'}]");
        assertThat(at(delayed, 2).again()).contains(Duration.ofSeconds(3));
        assertThat(at(delayed, 5).status().path("phase").asText()).isEqualTo("Running");
    }

    @Test
    void is_not_ready_when_told_so() {
        assertThat(conditions(after(pod("{'fake-kubelet/ready': 'false'}", "containers: [{name: 'a', image: 'x'}]"))))
                .endsWith("ContainersReady=False Ready=False");

        JsonNode status = after(pod(
                "{'fake-kubelet/ready.b': 'false'}", "containers: [{name: 'a', image: 'x'}, {name: 'b', image: 'x'}]"));
        assertThat(status.at("/containerStatuses/0/ready").asBoolean()).isTrue();
        assertThat(status.at("/containerStatuses/1/ready").asBoolean()).isFalse();
    }

    @Test
    void waits_for_a_reason_and_has_crashed_when_it_ran() {
        ObjectNode pod = pod("{}", "containers: [{name: 'a', image: 'x'}]");
        ObjectNode running = with(pod, after(pod));
        running.withObject("/metadata/annotations").put("fake-kubelet/waiting", "CrashLoopBackOff");

        ObjectNode status = at(running, 1).status();

        assertThat(status.path("phase").asText()).isEqualTo("Running");
        assertThat(status.at("/containerStatuses/0/state")).isEqualTo(json("{waiting: {reason: 'CrashLoopBackOff'}}"));
        assertThat(status.at("/containerStatuses/0/restartCount").asInt()).isEqualTo(1);
        assertThat(status.at("/containerStatuses/0/lastState/terminated/exitCode")
                        .asInt())
                .isEqualTo(1);
    }

    @Test
    void ends_after_its_time_with_its_exit_code() {
        ObjectNode pod = pod(
                "{'fake-kubelet/run-for': '5', 'fake-kubelet/exit-code': '3'}",
                "restartPolicy: 'Never', containers: [{name: 'a', image: 'x'}]");
        PodLife.Step first = at(pod, 0);
        assertThat(first.status().path("phase").asText()).isEqualTo("Running");
        assertThat(first.again()).contains(Duration.ofSeconds(5));

        ObjectNode ended = at(with(pod, first.status()), 5).status();

        assertThat(ended.path("phase").asText()).isEqualTo("Failed");
        assertThat(ended.at("/containerStatuses/0/state/terminated/exitCode").asInt())
                .isEqualTo(3);
        assertThat(at(with(pod, ended), 50)).isEqualTo(new PodLife.Step(ended, Optional.empty()));
    }

    @Test
    void a_pod_that_is_being_deleted_ends() {
        ObjectNode pod = pod("{}", "containers: [{name: 'a', image: 'x'}]");
        ObjectNode deleted = with(pod, after(pod));
        deleted.withObject("/metadata").put("deletionTimestamp", "2026-01-01T00:00:30Z");

        ObjectNode status = at(deleted, 1).status();

        assertThat(status.path("phase").asText()).isEqualTo("Failed");
        assertThat(status.at("/containerStatuses/0/state/terminated/exitCode").asInt())
                .isEqualTo(143);
        assertThat(conditions(status)).endsWith("ContainersReady=False Ready=False");
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void the_status_of_a_status_is_the_same(long seed) {
        Random random = new Random(seed);
        ObjectNode pod = null;
        for (int i = 0; i < 2_000; i++) {
            pod = pod == null || random.nextInt(5) == 0 ? randomPod(random) : randomChange(random, pod);
            ObjectNode before = pod.deepCopy();
            PodLife.Step once = at(pod, i);

            assertThat(pod).isEqualTo(before);
            assertThat(at(pod, i)).isEqualTo(once);
            pod = with(pod, once.status());
            JsonNode twice = at(pod, i).status();
            boolean ends = !twice.path("phase").equals(once.status().path("phase"));
            assertThat(ends || twice.equals(once.status())).isTrue();
            assertThat(at(with(pod, twice), i).status()).isEqualTo(twice);
        }
    }

    private static ObjectNode randomPod(Random random) {
        String policy = random.nextBoolean() ? "Always" : "Never";
        return pod(
                "{}",
                "restartPolicy: '" + policy + "', initContainers: [{name: 'i', image: 'x'}],"
                        + " containers: [{name: 'a', image: 'x'}, {name: 'b', image: 'y'}]");
    }

    private static ObjectNode randomChange(Random random, ObjectNode pod) {
        ObjectNode changed = pod.deepCopy();
        ObjectNode annotations = changed.withObject("/metadata/annotations");
        switch (random.nextInt(6)) {
            case 0 -> ((ObjectNode) changed.at("/spec/containers/0")).put("image", "x" + random.nextInt(3));
            case 1 -> annotations.put("fake-kubelet/ready", Boolean.toString(random.nextBoolean()));
            case 2 -> annotations.put("fake-kubelet/waiting", random.nextBoolean() ? "" : "CrashLoopBackOff");
            case 3 -> annotations.put("fake-kubelet/run-for", Integer.toString(random.nextInt(4)));
            case 4 -> annotations.put("fake-kubelet/exit-code", Integer.toString(random.nextInt(2)));
            default -> changed.withObject("/metadata").put("deletionTimestamp", "2026-01-01T00:00:30Z");
        }
        return changed;
    }

    private static ObjectNode pod(String annotations, String spec) {
        return object(
                "{metadata: {name: 'p', namespace: 'n', uid: 'u', creationTimestamp: '2026-01-01T00:00:00Z', annotations: "
                        + annotations + "}, spec: {nodeName: 'node-0', " + spec + "}, status: {phase: 'Pending'}}");
    }

    private static PodLife.Step at(ObjectNode pod, long seconds) {
        return PodLife.next(pod, START.plusSeconds(seconds), "10.0.0.1", () -> "10.128.0.1");
    }

    private static JsonNode after(ObjectNode pod) {
        return at(pod, 0).status();
    }

    private static ObjectNode with(ObjectNode pod, JsonNode status) {
        ObjectNode changed = pod.deepCopy();
        changed.set("status", status.deepCopy());
        return changed;
    }

    private static String conditions(JsonNode status) {
        StringBuilder text = new StringBuilder();
        status.path("conditions")
                .forEach(condition -> text.append(condition.path("type").asText())
                        .append('=')
                        .append(condition.path("status").asText())
                        .append(' '));
        return text.toString().strip();
    }
}

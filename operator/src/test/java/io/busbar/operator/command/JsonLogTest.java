package io.busbar.operator.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.busbar.operator.bundled.Bundled;
import io.busbar.operator.podbugger.v1beta1.Podbuggertool;
import io.busbar.operator.podbugger.v1beta1.PodbuggertoolSpec;
import io.busbar.operator.podset.v1alpha1.PodSet;
import io.busbar.operator.podset.v1alpha1.PodSetSpec;
import io.busbar.runtime.assembly.Installation;
import io.busbar.sandbox.Sandbox;
import io.busbar.sandbox.faults.Fault;
import io.busbar.sandbox.testkit.Kubeconfig;
import io.busbar.sandbox.testkit.KubernetesSandbox;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * What the process of an operator with JSON logs writes: read with a parser that takes one object a line, and no member
 * twice.
 */
@KubernetesSandbox
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class JsonLogTest {

    /**
     * A quotation mark, a backslash, line breaks of all kinds, control characters, and what takes two, three and four
     * bytes.
     */
    private static final String ODD = "a \"b\" \\ c\nd\r\ne\tf\u0001\u001b[31m\u0085g\u2028h é 漢 😀";

    private static final String RUN = "run";
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final ObjectMapper parser = JsonMapper.builder()
            .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();
    private final Sandbox sandbox;
    private final KubernetesClient client;
    private final Path kubeconfig;
    private final Path folder;
    private List<JsonNode> lines = List.of();
    private int exitCode;

    JsonLogTest(Sandbox sandbox, KubernetesClient client, @Kubeconfig Path kubeconfig, @TempDir Path folder) {
        this.sandbox = sandbox;
        this.client = client;
        this.kubeconfig = kubeconfig;
        this.folder = folder;
    }

    /** A start, reconciles of which some fail, a refusal by a webhook, what goes wrong beside them, and a stop. */
    @BeforeAll
    void run() throws Exception {
        Installation.install(client, Bundled.operator());
        client.resource(tool("early", ODD)).create(); // while no webhook refuses it
        sandbox.faults().inject(Fault.on("create", "pods").refused(403).untilRemoved());
        client.resource(set("refused")).create();
        Process operator = start(
                RUN,
                "--log-level=debug",
                "--health-probe-bind-address=127.0.0.1:0",
                "--webhook-certs=self-signed",
                "--webhook-url=https://127.0.0.1:0");
        try {
            awaitWritten(operator, "\"the operator runs\"");
            awaitWritten(operator, "is forbidden");
            sandbox.faults().clear().join();
            client.resource(set("allowed")).create();
            Stream.of("refused", "allowed")
                    .forEach(name -> await(name).atMost(PATIENCE).until(() -> isReady(name)));
            assertThatThrownBy(() -> client.resource(tool("late", ODD)).create())
                    .isInstanceOf(KubernetesClientException.class)
                    .hasMessageContaining("spec.label");
            operator.getOutputStream().close();
            awaitWritten(operator, "nobody catches this");
            operator.destroy();
            assertThat(operator.waitFor(60, TimeUnit.SECONDS)).isTrue();
        } finally {
            operator.destroyForcibly();
        }
        exitCode = operator.exitValue();
        lines = parsed(RUN);
    }

    private void awaitWritten(Process operator, String text) {
        await(text).atMost(PATIENCE).until(() -> {
            boolean ended = !operator.isAlive();
            String all = written(RUN);
            assertThat(ended && !all.contains(text))
                    .as("it has ended before: %s", all)
                    .isFalse();
            return all.contains(text);
        });
    }

    @Test
    void the_run_ends_in_order_and_all_that_it_writes_is_lines_of_json() {
        assertThat(exitCode).isZero();
        assertThat(lines)
                .extracting(line -> line.path("msg").asText())
                .contains("the operator runs", "the operator has stopped");
    }

    @Test
    void each_line_of_a_reconcile_names_it_and_its_trigger() {
        List<JsonNode> reconciles =
                lines.stream().filter(line -> line.has("reconcileID")).toList();

        assertThat(reconciles)
                .allSatisfy(line -> assertThat(line.propertyStream().map(Map.Entry::getKey))
                        .contains("controller", "controllerGroup", "controllerKind", "namespace", "name", "trigger"));
        assertThat(reconciles)
                .filteredOn(line -> line.path("controller").asText().equals("podset"))
                .extracting(
                        line -> line.path("name").asText(),
                        line -> line.path("msg").asText())
                .contains(
                        tuple("refused", "reconcile failed"),
                        tuple("refused", "reconciled"),
                        tuple("allowed", "reconciled"));
        JsonNode first = lines.stream()
                .filter(line -> line.path("trigger").asText().equals("added")
                        && line.path("name").asText().equals("allowed"))
                .findFirst()
                .orElseThrow();
        assertThat(first.path("controllerGroup").asText()).isEqualTo("apps.jicki.cn");
        assertThat(first.path("controllerKind").asText()).isEqualTo("PodSet");
        assertThat(first.path("triggerObject").asText()).isEqualTo("PodSet default/allowed");
        assertThat(first.path("triggerVersion").asText()).matches("[0-9]+");
    }

    @Test
    void a_failed_reconcile_is_one_line_with_its_stack_trace() {
        JsonNode failed = line(line -> line.path("msg").asText().equals("reconcile failed")
                && line.path("error").asText().contains("pods is forbidden: User"));

        assertThat(failed.path("level").asText()).isEqualTo("ERROR");
        assertThat(failed.path("controller").asText()).isEqualTo("podset");
        assertThat(failed.path("name").asText()).isEqualTo("refused");
        assertThat(failed.path("attempt").isInt()).isTrue();
        assertThat(failed.path("stacktrace").asText())
                .contains("KubernetesClientException")
                .contains("\n\tat ");
    }

    @Test
    void odd_characters_come_through_and_all_are_written_in_ascii() throws IOException {
        JsonNode failed = line(line -> line.path("msg").asText().equals("reconcile failed")
                && line.path("name").asText().equals("early"));

        assertThat(failed.path("error").asText()).startsWith("spec.label: '" + ODD + "': ");
        assertThat(failed.path("stacktrace").asText()).contains(ODD);
        assertThat(written(RUN)).matches(Pattern.compile("[\\n -~]+"));
    }

    @Test
    void what_the_jdk_logs_and_what_nobody_catches_are_lines_like_all_others() {
        JsonNode jul = line(line -> line.path("logger").asText().equals("example.jul"));
        assertThat(jul.path("level").asText()).isEqualTo("WARN");
        assertThat(jul.path("msg").asText()).isEqualTo("through java.util.logging");
        assertThat(jul.path("stacktrace").asText()).startsWith("java.lang.IllegalStateException: first\nsecond\n\tat ");
        JsonNode platform = line(line -> line.path("logger").asText().equals("example.platform"));
        assertThat(platform.path("level").asText()).isEqualTo("ERROR");
        JsonNode uncaught = line(line -> line.path("msg").asText().equals("a thread has failed"));
        assertThat(uncaught.path("level").asText()).isEqualTo("ERROR");
        assertThat(uncaught.path("thread").asText()).isEqualTo("trouble");
        assertThat(uncaught.path("stacktrace").asText()).contains("IllegalStateException: nobody catches this");
    }

    @Test
    void each_key_comes_once_and_no_value_costs_a_line() {
        JsonNode line = line(one -> one.path("logger").asText().equals("example.slf4j"));

        assertThat(line.path("name").asText()).isEqualTo("of the line");
        assertThat(line.path("thread").asText()).isEqualTo("trouble");
        assertThat(line.path("thread_").asText()).isEqualTo("taken");
        assertThat(line.path("half").asText()).isEqualTo("\ud83d");
        assertThat(line.path("object").asText()).isEqualTo("an object");
        assertThat(line.path("unreadable").asText()).contains("Unreadable").contains("has no text");
        assertThat(line.path("count").isInt()).isTrue();
        assertThat(line.path("took").doubleValue()).isEqualTo(1.5);
    }

    @Test
    void a_start_that_fails_is_told_in_json_too() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Process operator = start(
                    "taken", "--webhook-certs=none", "--health-probe-bind-address=127.0.0.1:" + taken.getLocalPort());
            assertThat(operator.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(operator.exitValue()).isEqualTo(1);
        }
        assertThat(parsed("taken")).last().satisfies(line -> {
            assertThat(line.path("level").asText()).isEqualTo("ERROR");
            assertThat(line.path("msg").asText()).isEqualTo("the command has failed");
            assertThat(line.path("error").asText()).contains("in use");
        });
    }

    @Test
    void wrong_flags_are_told_in_text_to_whoever_has_set_them() throws Exception {
        Process operator = start("flags", "--webhook-port=99999", "--no-such-flag");
        assertThat(operator.waitFor(60, TimeUnit.SECONDS)).isTrue();

        assertThat(operator.exitValue()).isEqualTo(2);
        assertThat(written("flags").lines())
                .allSatisfy(line -> assertThat(line).startsWith("busbar: "))
                .anySatisfy(line -> assertThat(line).contains("99999"))
                .anySatisfy(line -> assertThat(line).contains("--no-such-flag"));
    }

    private JsonNode line(Predicate<JsonNode> condition) {
        return lines.stream()
                .filter(condition)
                .findFirst()
                .orElseThrow(() -> new AssertionError("no such line in " + lines));
    }

    /** All that a process has written; what is no such line is told. */
    private List<JsonNode> parsed(String run) throws IOException {
        List<JsonNode> parsed = new ArrayList<>();
        List<String> stray = new ArrayList<>();
        for (String text : written(run).split("\n", 0)) {
            try {
                parsed.add(parsedLine(text));
            } catch (JsonProcessingException | DateTimeParseException | AssertionError e) {
                stray.add(text + "   <- " + e.getMessage());
            }
        }
        assertThat(stray).isEmpty();
        return parsed;
    }

    private JsonNode parsedLine(String text) throws JsonProcessingException {
        JsonNode line = parser.readTree(text);
        assertThat(OffsetDateTime.parse(line.path("ts").asText()).getOffset()).isEqualTo(ZoneOffset.UTC);
        assertThat(line.path("level").asText()).isIn("DEBUG", "INFO", "WARN", "ERROR");
        assertThat(line.path("logger").asText()).isNotEmpty();
        assertThat(line.path("msg").asText()).isNotEmpty();
        return line;
    }

    /** To standard output and to standard error. */
    private String written(String run) throws IOException {
        return Files.readString(folder.resolve(run + ".out")) + Files.readString(folder.resolve(run + ".err"));
    }

    private boolean isReady(String name) {
        PodSet set = client.resources(PodSet.class)
                .inNamespace("default")
                .withName(name)
                .require();
        return set.getStatus() != null && set.getStatus().readyReplicas() == 1;
    }

    private static PodSet set(String name) {
        PodSet set = new PodSet();
        set.setMetadata(
                new ObjectMetaBuilder().withNamespace("default").withName(name).build());
        set.setSpec(new PodSetSpec(1));
        return set;
    }

    private static Podbuggertool tool(String name, String label) {
        Podbuggertool tool = new Podbuggertool();
        tool.setMetadata(
                new ObjectMetaBuilder().withNamespace("default").withName(name).build());
        tool.setSpec(new PodbuggertoolSpec(label, "example/tool:1", null, List.of("sh"), false));
        return tool;
    }

    private Process start(String run, String... flags) throws IOException {
        List<String> words = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                TroubledMain.class.getName(),
                "run",
                "--kubeconfig=" + kubeconfig,
                "--log-format=json",
                "--webhook-bind-address=127.0.0.1",
                "--webhook-port=0",
                "--metrics-bind-address=127.0.0.1:0",
                "--metrics-secure=false",
                "--graceful-shutdown-timeout=5s"));
        words.addAll(List.of(flags));
        ProcessBuilder process = new ProcessBuilder(words)
                .redirectOutput(folder.resolve(run + ".out").toFile())
                .redirectError(folder.resolve(run + ".err").toFile());
        process.environment().remove("JAVA_TOOL_OPTIONS"); // the virtual machine says, in text, that it has read it
        return process.start();
    }
}

package io.busbar.operator.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.admissionregistration.v1.MutatingWebhookConfiguration;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientAgent;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The jar with the options of the virtual machine and the memory of the Deployment, while clients hold what they can of
 * it.
 *
 * <p>With the property {@code busbar.siege}, such as {@code PT1M}, 1,000 reviews stall and 5,000 sockets on each port
 * say nothing for that long, and what is closed comes again; for 20 seconds more nothing does. {@code
 * operator/target/siege.txt} tells how the operator did. That needs 20,000 open files ({@code ulimit -n}). Without,
 * there are few of them and no time is taken.
 */
@EndToEnd
@Order(EndToEnd.LONG)
class SiegeIT {

    private static final Logger log = LoggerFactory.getLogger(SiegeIT.class);
    private static final Pattern OPTIONS = Pattern.compile("name: JAVA_TOOL_OPTIONS\\s+value: (.+)");
    private static final Pattern LIMIT = Pattern.compile("limits:\\s+memory: (\\d+)Mi");
    private static final boolean FULL = System.getProperty("busbar.siege") != null;
    private static final Duration TIME = Duration.parse(System.getProperty("busbar.siege", "PT3S"));
    private static final int STALLED = FULL ? 1000 : 100;
    private static final int SILENT = FULL ? 5000 : 300;
    private static final int REVIEWS_PER_SECOND = 50;

    /** Of the Deployment's probes, where nothing else is said. */
    private static final int FAILURE_THRESHOLD = 3;

    private final Cluster cluster;
    private final Vertx vertx = Vertx.vertx();
    private final HttpClientAgent reviewers = vertx.createHttpClient(
            new HttpClientOptions().setSsl(true).setTrustAll(true).setVerifyHost(false),
            new PoolOptions().setHttp1MaxSize(4));
    private final HttpClient probes = vertx.createHttpClient(new HttpClientOptions().setKeepAlive(false));
    private final int healthPort = OperatorProcess.freePort();
    private final int metricsPort = OperatorProcess.freePort();
    private final int webhookPort = OperatorProcess.freePort();
    private Process operator;
    private long limitBytes;

    @TempDir
    private Path folder;

    SiegeIT(Cluster cluster) throws IOException {
        this.cluster = cluster;
    }

    @BeforeEach
    void runs_the_jar_as_it_is_deployed() throws IOException {
        cluster.running().stopOperator();
        String deployment = Files.readString(Path.of("..", "manifests", "config", "manager", "manager.yaml"));
        limitBytes = Long.parseLong(first(LIMIT, deployment)) * 1024 * 1024;
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
        command.addAll(List.of(first(OPTIONS, deployment).split(" ")));
        command.addAll(List.of(
                // What the limit of the container tells the virtual machine.
                "-XX:MaxRAM=" + limitBytes,
                "-jar",
                System.getProperty("busbar.jar"),
                "run",
                "--kubeconfig=" + cluster.running().kubeconfig(),
                "--webhook-certs=self-signed",
                "--webhook-bind-address=127.0.0.1",
                "--webhook-port=" + webhookPort,
                "--webhook-url=https://127.0.0.1:" + webhookPort,
                "--metrics-bind-address=127.0.0.1:" + metricsPort,
                "--health-probe-bind-address=127.0.0.1:" + healthPort,
                "--log-level=warn"));
        operator = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("operator.log").toFile())
                .start();
        await().atMost(Duration.ofMinutes(2)).until(() -> probe("/readyz") == 200);
        await().atMost(Duration.ofMinutes(1)).until(this::isRegistered);
    }

    @AfterEach
    void goes_back_to_the_operator_in_this_jvm() throws Exception {
        operator.destroyForcibly();
        wait(vertx.close());
        cluster.running().startOperator();
    }

    @Test
    void reviews_and_probes_are_answered_while_others_hold_what_they_can() throws Exception {
        cluster.createSet(SidecarSets.oneSidecar("siege", "example/proxy:1", ""));
        reviews(Duration.ofSeconds(FULL ? 20 : 1)); // until it is compiled
        Figures quiet = measured(FULL ? TIME : Duration.ofSeconds(1));
        Process besiegers = besiegers();
        await().atMost(Duration.ofMinutes(2)).until(() -> !held().isEmpty());
        Figures assaulted = measured(FULL ? Duration.ofSeconds(20) : Duration.ofSeconds(2));
        Figures besieged = measured(TIME);
        besiegers.getOutputStream().write('\n');
        besiegers.getOutputStream().flush();
        Figures stalled = measured(FULL ? Duration.ofSeconds(20) : Duration.ofSeconds(1));
        besiegers.getOutputStream().close();
        assertThat(besiegers.waitFor(60, TimeUnit.SECONDS)).isTrue();
        String text = "quiet:     " + quiet + "\nassaulted: " + assaulted + "\nbesieged:  " + besieged + "\nstalled:   "
                + stalled + "\nbesiegers: " + held() + "\nmost memory: " + residentMiB("VmHWM") + " MiB of "
                + limitBytes / 1024 / 1024 + "\n";
        Files.writeString(Path.of("target", "siege.txt"), text);
        log.atInfo().log("{}", text);

        assertThat(operator.isAlive())
                .as(Files.readString(folder.resolve("operator.log")))
                .isTrue();
        assertThat(assaulted.codes().keySet()).as("%s", text).containsExactly(200);
        assertThat(besieged.codes().keySet()).as("%s", text).containsExactly(200);
        assertThat(stalled.codes().keySet()).as("%s", text).containsExactly(200);
        assertThat(besieged.probes().keySet())
                .as("%s", text)
                .containsExactly("healthz 200", "metrics 401", "readyz 200");
        assertThat(residentMiB("VmHWM")).as(text).isLessThan(limitBytes / 1024 / 1024);
    }

    /** What the besiegers have said last. */
    private String held() throws IOException {
        return Files.readAllLines(folder.resolve("besiegers.log")).stream().reduce("", (earlier, later) -> later);
    }

    private Process besiegers() throws IOException {
        return new ProcessBuilder(
                        // Where there are few processors, what they take must not be what is measured.
                        "nice",
                        "-n",
                        "10",
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Besiegers.class.getName(),
                        Integer.toString(STALLED),
                        Integer.toString(SILENT),
                        Integer.toString(webhookPort),
                        Integer.toString(healthPort),
                        Integer.toString(metricsPort))
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("besiegers.log").toFile())
                .start();
    }

    /** How reviews and probes were answered for a while. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Figures(Map<Integer, Integer> codes, long[] sortedNanos, Map<String, Integer> probes) {

        @Override
        public String toString() {
            return sortedNanos.length + " reviews " + codes + ", p50 " + millis(0.5) + " ms, p99 " + millis(0.99)
                    + " ms, longest " + millis(1) + " ms; probes " + probes;
        }

        private double millis(double quantile) {
            int index = (int) Math.min(sortedNanos.length - 1L, (long) (sortedNanos.length * quantile));
            return sortedNanos[index] / 1e6;
        }
    }

    private Figures measured(Duration time) throws Exception {
        Map<String, Integer> probed = new TreeMap<>();
        Thread probing = new Thread(() -> probe(probed, time), "probing");
        probing.start();
        List<Answered> answers = reviews(time);
        probing.join();
        Map<Integer, Integer> codes = new TreeMap<>();
        answers.forEach(answer -> codes.merge(answer.code(), 1, Integer::sum));
        long[] nanos = answers.stream().mapToLong(Answered::nanos).toArray();
        Arrays.sort(nanos);
        return new Figures(codes, nanos, probed);
    }

    private record Answered(int code, long nanos) {}

    /** Sends reviews at a steady pace, whether those before are answered or not. */
    private List<Answered> reviews(Duration time) throws Exception {
        List<Future<Answered>> answers = new ArrayList<>();
        long begun = System.nanoTime();
        for (long i = 0; ; i++) {
            long due = begun + i * TimeUnit.SECONDS.toNanos(1) / REVIEWS_PER_SECOND;
            if (due - begun > time.toNanos()) {
                break;
            }
            TimeUnit.NANOSECONDS.sleep(due - System.nanoTime());
            answers.add(review());
        }
        return wait(Future.all(answers)).list();
    }

    private Future<Answered> review() {
        long begun = System.nanoTime();
        return reviewers
                .request(new RequestOptions()
                        .setMethod(HttpMethod.POST)
                        .setHost("127.0.0.1")
                        .setPort(webhookPort)
                        .setURI("/mutate-pod?timeout=10s")
                        .setTimeout(10_000)
                        .putHeader("content-type", "application/json"))
                .compose(request -> request.send(Buffer.buffer(REVIEW))
                        .compose(response -> response.body().map(body -> response.statusCode())))
                .otherwise(failure -> {
                    log.atWarn().addKeyValue("reason", failure).log("a review was not answered");
                    return 0;
                })
                .map(code -> new Answered(code, System.nanoTime() - begun));
    }

    private void probe(Map<String, Integer> seen, Duration time) {
        for (long second = 0; second <= time.toSeconds(); second++) {
            for (String path : List.of("/healthz", "/readyz", "/metrics")) {
                seen.merge(path.substring(1) + " " + probe(path), 1, Integer::sum);
            }
            LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(1));
        }
    }

    /** The status, as a kubelet counts; 0 for no answer so many times in a row that it would act. */
    private int probe(String path) {
        int code = 0;
        for (int i = 0; i < FAILURE_THRESHOLD && code == 0; i++) {
            code = answered(path);
        }
        return code;
    }

    /** The status; 0 for no answer in the five seconds that the Deployment's probes wait. */
    private int answered(String path) {
        boolean secure = path.equals("/metrics");
        HttpClient client = secure ? reviewers : probes;
        try {
            return wait(client.request(new RequestOptions()
                            .setHost("127.0.0.1")
                            .setPort(secure ? metricsPort : healthPort)
                            .setURI(path)
                            .setTimeout(5_000))
                    .compose(request -> request.send())
                    .map(response -> response.statusCode())
                    .otherwise(0));
        } catch (Exception unanswered) {
            return 0;
        }
    }

    private boolean isRegistered() {
        return cluster.client().resources(MutatingWebhookConfiguration.class).list().getItems().stream()
                .flatMap(configuration -> configuration.getWebhooks().stream())
                .map(webhook -> webhook.getClientConfig().getUrl())
                .anyMatch(url -> url != null && URI.create(url).getPort() == webhookPort);
    }

    private long residentMiB(String what) throws IOException {
        String status = Files.readString(Path.of("/proc", Long.toString(operator.pid()), "status"));
        return Long.parseLong(first(Pattern.compile(what + ":\\s+(\\d+) kB"), status)) / 1024;
    }

    private static String first(Pattern pattern, String text) {
        Matcher matcher = pattern.matcher(text);
        assertThat(matcher.find()).as(pattern.pattern()).isTrue();
        return matcher.group(1).strip();
    }

    private static <T> T wait(Future<T> future) throws Exception {
        return future.toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
    }

    /** Of a Pod of 8 KB, as an API server sends it. */
    private static final String REVIEW = """
            {"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","request":{"uid":"u-1",
             "kind":{"group":"","version":"v1","kind":"Pod"},
             "resource":{"group":"","version":"v1","resource":"pods"},"namespace":"default","operation":"CREATE",
             "object":{"apiVersion":"v1","kind":"Pod","metadata":{"name":"shop-1","labels":{"app":"siege"},"annotations":{"x":"%s"}},
             "spec":{"containers":[{"name":"main","image":"example/shop:1"}]}},"dryRun":false,"options":null}}
            """.formatted("x".repeat(7_500));
}

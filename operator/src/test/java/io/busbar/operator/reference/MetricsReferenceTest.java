package io.busbar.operator.reference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.busbar.common.ObjectKey;
import io.busbar.operator.bundled.Bundled;
import io.busbar.operator.podset.v1alpha1.PodSet;
import io.busbar.operator.reference.MetricsPage.Metric;
import io.busbar.reconciler.leader.LeaderElectionOptions;
import io.busbar.runtime.assembly.Installation;
import io.busbar.runtime.assembly.StandaloneOperator;
import io.busbar.runtime.options.BindAddress;
import io.busbar.runtime.options.MetricsOptions;
import io.busbar.runtime.options.OperatorOptions;
import io.busbar.sandbox.testkit.KubernetesSandbox;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpMethod;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The page of metrics has what an operator says that does everything. */
@KubernetesSandbox
class MetricsReferenceTest {

    private static final Pattern HELP = Pattern.compile("# HELP ([a-zA-Z_:][a-zA-Z0-9_:]*) ?(.*)");
    private static final Pattern TYPE =
            Pattern.compile("# TYPE ([a-zA-Z_:][a-zA-Z0-9_:]*) (counter|gauge|histogram|summary)");
    private static final Pattern LABEL =
            Pattern.compile("([a-zA-Z_][a-zA-Z0-9_]*)=\"(?:[^\"\\\\\\n]|\\\\[\\\\\"n])*\"");
    private static final Pattern SAMPLE = Pattern.compile(
            "([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\\{(" + LABEL + "(?:," + LABEL + ")*)\\})? (NaN|[+-]Inf|[-+0-9.eE]+)");

    private final Vertx vertx = Vertx.vertx();

    @Test
    void has_every_metric_of_a_running_operator_and_no_other(KubernetesClient client) throws Exception {
        Installation.install(client, Bundled.operator());
        StandaloneOperator operator = new StandaloneOperator(Bundled.operator(), client.getConfiguration(), options());
        try {
            operator.start();
            client.resource(Serialization.unmarshal("""
                            apiVersion: apps.jicki.cn/v1alpha1
                            kind: PodSet
                            metadata: {name: one, namespace: default}
                            spec: {size: 1}
                            """, PodSet.class)).create();
            await().atMost(Duration.ofSeconds(60))
                    .until(() -> !client.resources(Pod.class)
                            .inNamespace("default")
                            .list()
                            .getItems()
                            .isEmpty());
            String token = client.getConfiguration().getAutoOAuthToken();
            get(operator.managementPorts().get(1), false, "/readyz", token);
            get(operator.managementPorts().get(0), true, "/metrics", token);
            String text = get(operator.managementPorts().get(0), true, "/metrics", token);

            new MetricsPage(running(text)).page().check();
            assertThat(text).containsPattern("(?m)^vertx_eventbus_handlers [1-9][0-9]+\\.0$");
            assertThat(text)
                    .containsPattern(
                            "(?m)^rest_client_requests_total\\{code=\"201\",host=\"[^\"]+\",method=\"POST\"} [1-9]");
            assertThat(text).containsPattern("(?m)^busbar_watch_stored_bytes\\{name=\"podsets.apps.jicki.cn\"} [1-9]");
            assertThat(text).containsPattern("(?m)^leader_election_master_status\\{name=\"table\"} 1\\.0$");
        } finally {
            operator.stop();
            vertx.close().await(60, TimeUnit.SECONDS);
        }
    }

    private static OperatorOptions options() {
        OperatorOptions dev = OperatorOptions.besideCluster("busbar");
        return dev.toBuilder()
                .leaderElection(LeaderElectionOptions.of(ObjectKey.of(dev.namespace(), "table")))
                .metrics(new MetricsOptions(BindAddress.loopback(), true, Optional.empty(), false))
                .build();
    }

    private String get(int port, boolean tls, String path, String token) throws Exception {
        HttpClientOptions options =
                new HttpClientOptions().setSsl(tls).setTrustAll(true).setVerifyHost(false);
        var http = vertx.createHttpClient(options);
        return http.request(HttpMethod.GET, port, "127.0.0.1", path)
                .compose(request -> request.putHeader("Authorization", "Bearer " + token)
                        .send()
                        .compose(response -> response.body().map(Buffer::toString)))
                .eventually(http::close)
                .await(60, TimeUnit.SECONDS);
    }

    /** Each line is read, and anything that is not of the text format fails. */
    private static Map<String, Metric> running(String text) {
        Map<String, String> meanings = new TreeMap<>();
        Map<String, Metric> metrics = new TreeMap<>();
        text.lines().forEach(line -> {
            Matcher help = HELP.matcher(line);
            if (help.matches()) {
                meanings.put(help.group(1), help.group(2));
                return;
            }
            Matcher type = TYPE.matcher(line);
            if (type.matches()) {
                String meaning = meanings.getOrDefault(type.group(1), "");
                metrics.put(type.group(1), new Metric(type.group(2), new TreeSet<>(), meaning));
                return;
            }
            Matcher sample = SAMPLE.matcher(line);
            assertThat(sample.matches()).as(line).isTrue();
            Metric metric = metrics.getOrDefault(
                    sample.group(1), metrics.get(sample.group(1).replaceFirst("_(bucket|sum|count)$", "")));
            assertThat(metric).as(line).isNotNull();
            String labels = sample.group(2) == null ? "" : sample.group(2);
            LABEL.matcher(labels)
                    .results()
                    .map(label -> label.group(1))
                    .filter(label -> !label.equals("le"))
                    .forEach(metric.labels()::add);
        });
        metrics.keySet().removeIf(name -> name.endsWith("_max"));
        return metrics;
    }
}

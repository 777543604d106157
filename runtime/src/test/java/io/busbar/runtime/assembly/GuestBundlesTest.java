package io.busbar.runtime.assembly;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.busbar.common.trace.Tracing;
import io.busbar.common.watch.WatchSpec;
import io.busbar.reconciler.Controller;
import io.busbar.reconciler.ReconcileResult;
import io.busbar.runtime.bundle.Bundle;
import io.busbar.runtime.bundle.BundleContext;
import io.busbar.runtime.bundle.Guests;
import io.busbar.runtime.options.OperatorOptions;
import io.busbar.runtime.process.Blocking;
import io.busbar.runtime.telemetry.Telemetry;
import io.busbar.sandbox.testkit.KubernetesSandbox;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A reconcile starts and ends bundles, and waits for that. */
@KubernetesSandbox
class GuestBundlesTest {

    private static final Duration PATIENCE = Duration.ofSeconds(90);

    private final Vertx vertx = Vertx.vertx();
    private final PrometheusMeterRegistry meters = Telemetry.registry();
    private final Set<String> seen = ConcurrentHashMap.newKeySet();
    private final KubernetesClient client;
    private Operator operator;
    private boolean stopped;
    private volatile Guests guests;

    GuestBundlesTest(KubernetesClient client) {
        this.client = client;
    }

    private record Named(String name, List<Controller<?>> controllers) implements Bundle {
        @Override
        public List<Controller<?>> controllers(BundleContext context) {
            return controllers;
        }
    }

    private Bundle guest(String name) {
        return new Named(name, List.of(controller(name)));
    }

    /** Notes the ConfigMaps of its label as {@code guest/name}. */
    private Controller<?> controller(String name) {
        return Controller.<ConfigMap>of(ConfigMap.class, (map, context) -> {
                    seen.add(name + "/" + map.getMetadata().getName());
                    return ReconcileResult.awaitChange();
                })
                .primaries(WatchSpec.of(ConfigMap.class).withLabels("for=" + name))
                .named(name);
    }

    /** A ConfigMap with the label {@code host} asks for the guest of its name, until it says {@code end}. */
    private final class Host implements Bundle {
        @Override
        public List<Controller<?>> controllers(BundleContext context) {
            guests = context.guests();
            return List.of(Controller.<ConfigMap>of(ConfigMap.class, (map, its) -> {
                        String name = map.getMetadata().getName();
                        if (map.getData().containsKey("end")) {
                            Blocking.await(guests.end(name), PATIENCE);
                            seen.add("host/ended " + name);
                        } else {
                            Blocking.await(guests.start(guest(name), client.getConfiguration()), PATIENCE);
                            seen.add("host/started " + name);
                        }
                        return ReconcileResult.awaitChange();
                    })
                    .primaries(WatchSpec.of(ConfigMap.class).withLabels("host"))
                    .workers(2)
                    .named("host"));
        }
    }

    @BeforeEach
    void start() throws Exception {
        operator = new Operator(
                new OperatorEnvironment(vertx, client, meters, Tracing.off(), "test", "test"),
                OperatorOptions.besideCluster("busbar"),
                List.of(new Host()));
        operator.start().await(60, SECONDS);
    }

    @AfterEach
    void stop() throws Exception {
        if (!stopped) {
            operator.stop().await(60, SECONDS);
        }
        vertx.close().await(60, SECONDS);
    }

    private void write(String name, String label, String value, String data) {
        client.resource(new ConfigMapBuilder()
                        .withNewMetadata()
                        .withNamespace("default")
                        .withName(name)
                        .addToLabels(label, value)
                        .endMetadata()
                        .addToData(data, "")
                        .build())
                .createOr(replaced -> replaced.update());
    }

    private void awaitSeen(String... what) {
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(seen).contains(what));
    }

    @Test
    void run_among_the_operators_controllers_and_leave_nothing_behind() {
        write("one", "host", "", "go");
        write("two", "host", "", "go");
        awaitSeen("host/started one", "host/started two");
        assertThat(guests.state("one")).contains(new Guests.State(true, ""));
        write("apple", "for", "one", "x");
        write("pear", "for", "two", "x");
        awaitSeen("one/apple", "two/pear");
        assertThat(seen).doesNotContain("one/pear", "two/apple");
        assertThat(metersOf("one")).isPositive();

        write("one", "host", "", "end");
        write("two", "host", "", "end");
        awaitSeen("host/ended one", "host/ended two");
        assertThat(guests.state("one")).isEmpty();
        assertThat(metersOf("one")).isZero();
        assertThat(meters.getMeters())
                .noneMatch(meter -> String.valueOf(meter.getId().getTag("name")).endsWith("~one"));
        write("plum", "for", "one", "x");

        seen.clear();
        write("one", "host", "", "again");
        awaitSeen("host/started one", "one/apple", "one/plum");
    }

    private long metersOf(String controller) {
        return meters.getMeters().stream()
                .filter(meter -> controller.equals(meter.getId().getTag("controller")))
                .count();
    }

    @Test
    void whose_name_is_taken_or_whose_operator_stops_are_refused() throws Exception {
        Bundle first = guest("same");
        guests.start(first, client.getConfiguration()).await(60, SECONDS);
        assertThatThrownBy(() ->
                        guests.start(guest("same"), client.getConfiguration()).await(60, SECONDS))
                .hasMessageContaining("there is a guest same already");
        Bundle alike = new Named("other", List.of(controller("other"), controller("same")));
        assertThatThrownBy(() -> guests.start(alike, client.getConfiguration()).await(60, SECONDS))
                .hasMessageContaining("same");
        await().atMost(PATIENCE).until(() -> guests.state("other").isEmpty());
        write("plum", "for", "same", "x");
        awaitSeen("same/plum");
        guests.start(guest("other"), client.getConfiguration()).await(60, SECONDS);

        operator.stop().await(60, SECONDS);
        stopped = true;
        assertThatThrownBy(() ->
                        guests.start(guest("late"), client.getConfiguration()).await(60, SECONDS))
                .hasMessageContaining("the operator stops");
    }

    @Test
    void one_that_cannot_list_holds_up_no_change_of_namespaces() throws Exception {
        Config nowhere = new ConfigBuilder(client.getConfiguration())
                .withMasterUrl("https://127.0.0.1:1")
                .build();
        guests.start(guest("lost"), nowhere);
        await().atMost(PATIENCE)
                .until(() -> guests.state("lost").orElseThrow().waitsFor().contains("not listed yet: "));
        operator.watchNamespaces(Set.of("default")).await(60, SECONDS);
        write("three", "host", "", "go");
        awaitSeen("host/started three");
    }
}

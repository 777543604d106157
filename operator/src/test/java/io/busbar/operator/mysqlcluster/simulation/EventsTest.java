package io.busbar.operator.mysqlcluster.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Events run at the primary, whoever that is. */
class EventsTest {

    private static final String SPEC = "size: 3\nfailover: {delaySeconds: 2}\nreplication: {semiSync: true}\n";

    private final SimulatedCluster cluster = SimulatedCluster.running(SPEC);

    EventsTest() {
        cluster.servers.all().forEach(server -> {
            server.events.put("hourly", "SLAVESIDE_DISABLED");
            server.events.put("never", "SLAVESIDE_DISABLED");
        });
        cluster.server(0).events.put("hourly", "ENABLED");
        cluster.server(0).events.put("never", "DISABLED");
        cluster.turns(31);
        cluster.calls.forget();
    }

    private void assertThatOnlyPrimaryRunsThem() {
        String primary = String.valueOf(cluster.status().currentPrimary());
        for (SimulatedServer server : cluster.servers.all()) {
            assertThat(server.events("ENABLED"))
                    .as("%s: %s", server.pod, cluster)
                    .isEqualTo(server.pod.equals(primary) ? List.of("hourly") : List.of());
        }
        assertThat(cluster.servers.of(primary).events("DISABLED")).containsExactly("never");
    }

    @Test
    void they_go_on_after_a_failover_once_a_replica_acknowledges_that() {
        cluster.node.kill("db-0", Duration.ofSeconds(8));

        cluster.settle();

        assertThatOnlyPrimaryRunsThem();
        assertThat(cluster.status().currentPrimary()).isEqualTo("db-1");
        assertThat(cluster.calls.made()).containsSubsequence("makeWritable db-1 #1", "enableEvents db-1 #1");
        assertThat(cluster.told("EventsEnabled")).isEqualTo(1);
    }

    @Test
    void they_go_on_after_each_switchover() {
        cluster.spec(SPEC.replace("semiSync: true", "semiSync: true, primaryOrdinal: 2"));
        cluster.settle();
        assertThatOnlyPrimaryRunsThem();
        cluster.spec(SPEC.replace("semiSync: true", "semiSync: true, primaryOrdinal: 0"));
        cluster.settle();
        assertThatOnlyPrimaryRunsThem();
        assertThat(cluster.made("enableEvents")).containsExactly("enableEvents db-2 #1", "enableEvents db-0 #1");
    }

    @Test
    void it_is_tried_again_when_it_fails() {
        cluster.calls.breakAt("enableEvents db-1 #1", Calls.Fault.NOT_DONE);
        cluster.node.kill("db-0", Duration.ofSeconds(8));

        cluster.settle();

        assertThatOnlyPrimaryRunsThem();
        assertThat(cluster.told("EventsEnabled")).isEqualTo(1);
    }

    @Test
    void the_next_operator_knows_what_was_disabled_though_the_old_primary_is_gone() {
        cluster.node.kill("db-0", Duration.ofSeconds(8));
        cluster.newOperator();

        cluster.settle();

        assertThatOnlyPrimaryRunsThem();
    }

    @Test
    void none_is_enabled_while_it_is_not_known_which_were_disabled() {
        SimulatedCluster fresh = SimulatedCluster.running("size: 2\n");
        fresh.forgetAnnotations();
        fresh.servers.all().forEach(server -> server.events.put("hourly", "SLAVESIDE_DISABLED"));
        fresh.settle();
        fresh.turns(35);
        assertThat(fresh.made("enableEvents")).isEmpty();
        assertThat(fresh.told("EventsStopped")).isEqualTo(1);

        fresh.servers.runEvents(fresh.server(0), List.of("hourly"));
        fresh.turns(35);
        fresh.spec("size: 2\nreplication: {primaryOrdinal: 1}\n");
        fresh.settle();

        assertThat(fresh.server(1).events("DISABLED")).containsExactly("hourly");
    }
}

package io.busbar.sandbox.readme;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.busbar.sandbox.clock.ManualClock;
import io.busbar.sandbox.faults.Fault;
import io.busbar.sandbox.faults.Faults;
import io.busbar.sandbox.testkit.KubernetesSandbox;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

@KubernetesSandbox(manualClock = true)
class ExampleTest {

    @Test
    void a_backup_of_an_hour_is_over_in_no_time(KubernetesClient client, Faults faults, ManualClock clock)
            throws Exception {
        faults.inject(Fault.on("create", "pods").refused(503).times(2)); // the client tries again
        Pod backup = client.pods()
                .inNamespace("default")
                .load(getClass().getResource("backup.yaml"))
                .create();
        clock.advance(Duration.ofHours(1)).get(60, TimeUnit.SECONDS);
        assertEquals("Succeeded", client.resource(backup).get().getStatus().getPhase());
    }
}

package io.busbar.operator.command;

import io.busbar.operator.runtime.BindAddress;
import io.busbar.operator.runtime.MetricsOptions;
import io.busbar.operator.runtime.OperatorOptions;
import io.busbar.operator.runtime.PodAddressing;
import io.busbar.operator.runtime.WebhookOptions;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/** An operator beside its cluster, on one machine: on free ports of 127.0.0.1, with its own certificate. Immutable. */
public final class DevOptions {

    private DevOptions() {}

    public static OperatorOptions options() {
        return new OperatorOptions(
                "busbar-system",
                Set.of(),
                Set.of(),
                Set.of("kube-system", "kube-public"),
                4,
                false,
                Duration.ZERO,
                Duration.ofMinutes(12),
                Duration.ofSeconds(5),
                Optional.empty(),
                Optional.empty(),
                Set.of(),
                PodAddressing.POD_IP,
                Optional.empty(),
                MetricsOptions.plain(BindAddress.loopback()),
                BindAddress.loopback(),
                new WebhookOptions(
                        BindAddress.loopback(),
                        new WebhookOptions.Certificates.SelfSigned("busbar-webhook-ca"),
                        Optional.of("https://127.0.0.1:0"),
                        "busbar-webhook-service",
                        false));
    }
}

package io.busbar.runtime.flags;

import io.busbar.runtime.options.BindAddress;
import io.busbar.runtime.options.MetricsOptions;
import io.busbar.runtime.options.WebhookOptions.Certificates.Mounted;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How metrics are served. For one thread. */
final class MetricsFlags {

    @Option(
            names = "--metrics-bind-address",
            defaultValue = "0",
            paramLabel = "ADDRESS",
            converter = BindAddressConverter.class,
            description = "Where /metrics is served, such as :8443 for HTTPS or :8080 for HTTP; 0 for nowhere."
                    + " Default: ${DEFAULT-VALUE}.")
    private BindAddress address = BindAddress.off();

    @Option(
            names = "--metrics-secure",
            arity = "0..1",
            defaultValue = "true",
            fallbackValue = "true",
            paramLabel = "BOOLEAN",
            description = "Serves metrics over HTTPS, to those whom the cluster allows to get /metrics."
                    + " Default: ${DEFAULT-VALUE}.")
    private boolean secure;

    @Option(
            names = "--metrics-cert-path",
            paramLabel = "FOLDER",
            description = "The folder of the certificate for metrics. Default: one is made at each start.")
    private @Nullable Path folder;

    @Option(
            names = "--metrics-cert-name",
            defaultValue = "tls.crt",
            paramLabel = "FILE",
            description = "The certificate's file in that folder. Default: ${DEFAULT-VALUE}.")
    private String chainFile = "";

    @Option(
            names = "--metrics-cert-key",
            defaultValue = "tls.key",
            paramLabel = "FILE",
            description = "The key's file in that folder. Default: ${DEFAULT-VALUE}.")
    private String keyFile = "";

    MetricsOptions options(boolean http2) {
        Optional<Mounted> certificate =
                Optional.ofNullable(folder).map(mounted -> new Mounted(mounted, chainFile, keyFile));
        return new MetricsOptions(address, secure, certificate, http2);
    }
}

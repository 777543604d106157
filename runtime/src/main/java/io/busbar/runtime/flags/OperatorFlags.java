package io.busbar.runtime.flags;

import io.busbar.common.configuration.ConfigurationProblem;
import io.busbar.common.configuration.InvalidConfigurationException;
import io.busbar.common.internal.command.PortConverter;
import io.busbar.runtime.options.BindAddress;
import io.busbar.runtime.options.LiveOptions;
import io.busbar.runtime.options.OperatorOptions;
import io.busbar.runtime.options.WebhookOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The flags of a running operator, named as kubebuilder's managers name theirs. For one thread. */
public final class OperatorFlags {

    @Mixin
    private InstallationFlags installation;

    @Option(
            names = "--watch-namespaces",
            split = ",",
            paramLabel = "NAME",
            description = "Namespaces whose Pods are watched. Default: all.")
    private Set<String> watchNamespaces = Set.of();

    @Mixin
    private MetricsFlags metrics;

    @Option(
            names = "--enable-http2",
            description = "Lets clients choose HTTP/2, of metrics over HTTPS and of webhooks.")
    private boolean http2;

    @Option(
            names = "--health-probe-bind-address",
            defaultValue = ":8081",
            paramLabel = "ADDRESS",
            converter = BindAddressConverter.class,
            description = "Where /healthz and /readyz are served; 0 for nowhere. Default: ${DEFAULT-VALUE}.")
    private BindAddress probes = BindAddress.off();

    @Option(
            names = "--live-bind-address",
            defaultValue = "0",
            paramLabel = "ADDRESS",
            converter = BindAddressConverter.class,
            description = "Where the live page is served at /live, such as :8444, over HTTPS with the certificate of"
                    + " metrics, to those whom the cluster allows to get /live; 0 for nowhere."
                    + " Default: ${DEFAULT-VALUE}.")
    private BindAddress live = BindAddress.off();

    @Option(
            names = "--webhook-bind-address",
            defaultValue = "0.0.0.0",
            paramLabel = "HOST",
            description = "The interface on which webhooks are served. Default: ${DEFAULT-VALUE}.")
    private String webhookHost = "";

    @Option(
            names = "--webhook-port",
            defaultValue = "9443",
            paramLabel = "PORT",
            converter = PortConverter.class,
            description = "The port on which webhooks are served. Default: ${DEFAULT-VALUE}.")
    private int webhookPort;

    @Option(
            names = "--webhook-certs",
            defaultValue = "mounted",
            paramLabel = "SOURCE",
            converter = CertificateSourceConverter.class,
            description = "mounted: files in --webhook-cert-path. self-signed: the operator's own CA, kept in a Secret."
                    + " none: webhooks are not served. Default: ${DEFAULT-VALUE}.")
    private CertificateSource certificates = CertificateSource.MOUNTED;

    @Option(
            names = "--webhook-cert-path",
            defaultValue = "/tmp/k8s-webhook-server/serving-certs",
            paramLabel = "FOLDER",
            description = "The folder of the mounted certificate. Default: ${DEFAULT-VALUE}.")
    private Path certificateFolder = Path.of("");

    @Option(
            names = "--webhook-cert-name",
            defaultValue = "tls.crt",
            paramLabel = "FILE",
            description = "The certificate's file in that folder. Default: ${DEFAULT-VALUE}.")
    private String certificateFile = "";

    @Option(
            names = "--webhook-cert-key",
            defaultValue = "tls.key",
            paramLabel = "FILE",
            description = "The key's file in that folder. Default: ${DEFAULT-VALUE}.")
    private String keyFile = "";

    @Option(
            names = "--webhook-cert-secret",
            defaultValue = "{operator}-webhook-ca",
            paramLabel = "NAME",
            description = "The Secret of the operator's own CA. Default: ${DEFAULT-VALUE}.")
    private String certificateSecret = "";

    @Option(
            names = "--webhook-client-ca",
            paramLabel = "FILE",
            description = "CAs of the clients that webhooks answer, in PEM form: an API server has to be told to show a"
                    + " certificate of one of these. It is asked for none when it has objects converted. Default: all"
                    + " clients are answered.")
    private @Nullable Path clientCa;

    @Option(
            names = "--max-concurrent-reconciles",
            defaultValue = "4",
            paramLabel = "N",
            converter = WorkersConverter.class,
            description = "Workers of each controller that does not declare how many. Default: ${DEFAULT-VALUE}.")
    private int maxConcurrentReconciles;

    @Option(names = "--virtual-threads", description = "Runs workers on virtual threads; needs Java 21.")
    private boolean virtualThreads;

    @Option(
            names = "--resync-interval",
            defaultValue = "10h",
            paramLabel = "DURATION",
            converter = GoDuration.class,
            description =
                    "In which each object is looked at, changed or not, by controllers that declare no interval; 0 for"
                            + " never. Default: ${DEFAULT-VALUE}.")
    private Duration resyncInterval = Duration.ZERO;

    @Option(
            names = "--max-watch-staleness",
            defaultValue = "12m",
            paramLabel = "DURATION",
            converter = GoDuration.class,
            description =
                    "Without a sign of life of the API server on one of its watches for so long the operator is not"
                            + " ready; 0 for ever. A server that sends no bookmarks may be silent for 11m30s."
                            + " Default: ${DEFAULT-VALUE}.")
    private Duration maxWatchStaleness = Duration.ZERO;

    @Option(
            names = "--graceful-shutdown-timeout",
            defaultValue = "30s",
            paramLabel = "DURATION",
            converter = GoDuration.class,
            description = "How long a stop waits for what is in flight. Default: ${DEFAULT-VALUE}.")
    private Duration gracefulShutdownTimeout = Duration.ZERO;

    @Option(
            names = "--shutdown-delay-duration",
            defaultValue = "0s",
            paramLabel = "DURATION",
            converter = GoDuration.class,
            description = "How long a stop goes on to answer webhooks, as the API server may still be led here: each"
                    + " answer is the last of its connection then. Default: ${DEFAULT-VALUE}.")
    private Duration shutdownDelay = Duration.ZERO;

    @Mixin
    private RequestRateFlags requestRate;

    @Mixin
    private LeaderElectionFlags leaderElection;

    @Mixin
    private ShardFlags shards;

    @Mixin
    private TracingFlags tracing;

    /**
     * @param operator its name
     * @param inClusterNamespace of the Pod that this runs in, where it does
     * @throws InvalidConfigurationException with all that no single flag shows
     */
    public OperatorOptions options(String operator, Optional<String> inClusterNamespace) {
        List<ConfigurationProblem> problems = new ArrayList<>();
        if (virtualThreads && Runtime.version().feature() < 21) {
            problems.add(new ConfigurationProblem(
                    "--virtual-threads",
                    "true",
                    "Java 21 or later; this is " + Runtime.version().feature()));
        }
        problems.addAll(installation.problems());
        problems.addAll(requestRate.problems());
        problems.addAll(leaderElection.problems(inClusterNamespace.isPresent()));
        problems.addAll(leaderElection.problems(shards));
        if (!problems.isEmpty()) {
            throw new InvalidConfigurationException(problems);
        }
        String own = installation.namespace(operator, inClusterNamespace);
        return new OperatorOptions(
                own,
                inClusterNamespace.isPresent(),
                installation.operators(),
                watchNamespaces,
                maxConcurrentReconciles,
                virtualThreads,
                resyncInterval,
                maxWatchStaleness,
                gracefulShutdownTimeout,
                shutdownDelay,
                requestRate.rate(),
                shards.isGiven() ? Optional.empty() : leaderElection.options(own, inClusterNamespace.isPresent()),
                shards.isGiven() ? shards.options(leaderElection.election(own)) : Optional.empty(),
                tracing.options(),
                metrics.options(http2),
                probes,
                new LiveOptions(live, Optional.empty()),
                new WebhookOptions(
                        new BindAddress(webhookHost, webhookPort, true),
                        certificates(),
                        Optional.ofNullable(clientCa),
                        installation.webhookUrl(),
                        installation.webhookService(),
                        http2),
                Map.of());
    }

    private WebhookOptions.Certificates certificates() {
        if (leaderElection.takesOver() && certificates != CertificateSource.NONE) {
            // What is mounted is in a Pod, and the Secret of the deployed operator stays as that one needs it.
            return installation.webhookUrl().isEmpty()
                    ? new WebhookOptions.Certificates.None()
                    : new WebhookOptions.Certificates.InMemory();
        }
        return switch (certificates) {
            case MOUNTED -> new WebhookOptions.Certificates.Mounted(certificateFolder, certificateFile, keyFile);
            case NONE -> new WebhookOptions.Certificates.None();
            case SELF_SIGNED -> new WebhookOptions.Certificates.SelfSigned(certificateSecret);
        };
    }
}

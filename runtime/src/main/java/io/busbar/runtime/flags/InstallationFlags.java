package io.busbar.runtime.flags;

import io.busbar.common.configuration.ConfigurationProblem;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which installation of the operator this is, and how the API server reaches it. For one thread. */
public final class InstallationFlags {

    @Option(
            names = "--namespace",
            paramLabel = "NAME",
            description =
                    "The operator's own namespace. Default: that of its Pod, else the operator's name followed by -system.")
    private @Nullable String namespace;

    @Option(
            names = "--operators",
            split = ",",
            paramLabel = "NAME",
            description =
                    "Which of the bundled operators run: ${COMPLETION-CANDIDATES}. Default: all whose kinds are installed.",
            completionCandidates = BundleNames.class,
            converter = BundleNames.class)
    private Set<String> operators = Set.of();

    @Option(
            names = "--webhook-service",
            defaultValue = "{operator}-webhook-service",
            paramLabel = "NAME",
            description = "The Service in front of the webhooks. Default: ${DEFAULT-VALUE}.")
    private String webhookService = "";

    @Option(
            names = "--webhook-url",
            paramLabel = "URL",
            description =
                    "Registers the webhooks by this URL, such as https://127.0.0.1:9443, for an operator outside the cluster.")
    private @Nullable String webhookUrl;

    /**
     * The operator's own namespace.
     *
     * @param operator its name
     * @param inCluster that of the Pod that this runs in, where it does
     */
    public String namespace(String operator, Optional<String> inCluster) {
        return namespace != null ? namespace : inCluster.orElse(operator + "-system");
    }

    /** Names of the bundles; empty for all. */
    public Set<String> operators() {
        return operators;
    }

    /** The Service in front of the webhooks, in the operator's namespace. */
    public String webhookService() {
        return webhookService;
    }

    /** Without a path; empty where the webhooks are registered by Service. */
    public Optional<String> webhookUrl() {
        return Optional.ofNullable(webhookUrl);
    }

    /** What no single flag shows. */
    public List<ConfigurationProblem> problems() {
        return webhookUrl == null || isHttps(webhookUrl)
                ? List.of()
                : List.of(new ConfigurationProblem("--webhook-url", webhookUrl, "https://HOST[:PORT], without a path"));
    }

    private static boolean isHttps(String url) {
        try {
            URI uri = URI.create(url);
            return "https".equals(uri.getScheme())
                    && uri.getHost() != null
                    && (uri.getRawPath() == null || uri.getRawPath().isEmpty());
        } catch (IllegalArgumentException notAUri) {
            return false;
        }
    }
}

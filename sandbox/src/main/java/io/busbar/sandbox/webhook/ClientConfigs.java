package io.busbar.sandbox.webhook;

import com.fasterxml.jackson.databind.JsonNode;
import io.busbar.sandbox.status.Causes;
import io.busbar.sandbox.syntax.Names;
import java.net.URI;
import java.net.URISyntaxException;
import org.jspecify.annotations.Nullable;

/**
 * Checks where a webhook is said to be: an HTTPS URL or a Service.
 *
 * <p>Any thread. The rules of apiserver's {@code util/webhook/validation.go}.
 */
public final class ClientConfigs {

    private static final String FORM = "; desired format: https://host[/path]";

    private ClientConfigs() {}

    /** @param path of the configuration, for the messages */
    public static void check(Causes causes, String path, JsonNode config) {
        boolean url = config.hasNonNull("url");
        boolean service = config.hasNonNull("service");
        if (url == service) {
            causes.required(path, "exactly one of url or service is required");
        } else if (url) {
            checkUrl(causes, path + ".url", config.path("url").asText());
        } else {
            checkService(causes, path + ".service", config.path("service"));
        }
    }

    private static void checkUrl(Causes causes, String path, String text) {
        URI url;
        try {
            url = new URI(text);
        } catch (URISyntaxException e) {
            causes.required(path, "url must be a valid URL: " + e.getMessage() + FORM);
            return;
        }
        if (!"https".equals(url.getScheme())) {
            String scheme = url.getScheme() == null ? "" : url.getScheme();
            causes.invalid(path, scheme, "'https' is the only allowed URL scheme" + FORM);
        }
        if (url.getRawAuthority() == null || url.getRawAuthority().isEmpty()) {
            causes.invalid(path, "", "host must be specified" + FORM);
        }
        refuse(causes, path, url.getRawUserInfo(), "user information is not permitted in the URL");
        refuse(causes, path, url.getRawFragment(), "fragments are not permitted in the URL");
        refuse(causes, path, url.getRawQuery(), "query parameters are not permitted in the URL");
    }

    private static void refuse(Causes causes, String path, @Nullable String part, String words) {
        if (part != null && !part.isEmpty()) {
            causes.invalid(path, part, words);
        }
    }

    /** The real server mixes up which of the two names is missing. */
    private static void checkService(Causes causes, String path, JsonNode service) {
        if (service.path("namespace").asText("").isEmpty()) {
            causes.required(path + ".name", "");
        }
        if (service.path("name").asText("").isEmpty()) {
            causes.required(path + ".namespace", "");
        }
        int port = service.path("port").asInt(443);
        if (port < 1 || port > 65535) {
            causes.invalid(
                    path + ".port", service.path("port"), "port is not valid: must be between 1 and 65535, inclusive");
        }
        String url = service.path("path").asText("");
        if (!url.isEmpty() && !url.equals("/")) {
            checkPath(causes, path + ".path", url);
        }
    }

    private static void checkPath(Causes causes, String path, String url) {
        if (url.equals("//")) {
            causes.invalid(path, url, "segment[0] may not be empty");
            return;
        }
        if (!url.startsWith("/")) {
            causes.invalid(path, url, "must start with a '/'");
        }
        String inner = url.substring(1);
        String[] steps = (inner.endsWith("/") ? inner.substring(0, inner.length() - 1) : inner).split("/", -1);
        for (int i = 0; i < steps.length; i++) {
            if (steps[i].isEmpty()) {
                causes.invalid(path, url, "segment[" + i + "] may not be empty");
                continue;
            }
            int at = i;
            Names.dnsSubdomain(steps[i])
                    .forEach(complaint -> causes.invalid(path, url, "segment[" + at + "]: " + complaint));
        }
    }
}

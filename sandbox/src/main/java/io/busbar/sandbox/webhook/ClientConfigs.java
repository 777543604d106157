package io.busbar.sandbox.webhook;

import io.busbar.sandbox.rules.Place;
import io.busbar.sandbox.syntax.GoText;
import io.busbar.sandbox.syntax.GoUrl;
import io.busbar.sandbox.syntax.Names;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Checks where a webhook is said to be: an HTTPS URL or a Service.
 *
 * <p>Any thread. The rules of apiserver's {@code util/webhook/validation.go}.
 */
public final class ClientConfigs {

    private static final String FORM = "; desired format: https://host[/path]";

    private ClientConfigs() {}

    public static void check(Place config) {
        boolean url = config.value().hasNonNull("url");
        boolean service = config.value().hasNonNull("service");
        if (url == service) {
            config.required("exactly one of url or service is required");
        } else if (url) {
            checkUrl(config.field("url"));
        } else {
            checkService(config.field("service"));
        }
    }

    /** The versions of reviews that a webhook takes. */
    public static void checkVersions(Place versions) {
        Set<String> seen = new HashSet<>();
        for (Place version : versions.each()) {
            String text = version.value().asText();
            version.invalid(seen.add(text) ? Names.dns1035Label(text) : List.of("duplicate version"));
        }
        if (!seen.contains("v1") && !seen.contains("v1beta1")) {
            versions.invalid("must include at least one of v1, v1beta1");
        }
    }

    private static void checkUrl(Place place) {
        GoUrl url;
        try {
            url = GoUrl.parse(place.value().asText());
        } catch (IllegalArgumentException e) {
            place.required("url must be a valid URL: " + e.getMessage() + FORM);
            return;
        }
        if (!url.scheme().equals("https")) {
            place.invalid(GoText.quote(url.scheme()), "'https' is the only allowed URL scheme" + FORM);
        }
        if (url.host().isEmpty()) {
            place.invalid("\"\"", "host must be provided" + FORM);
        }
        refuse(place, url.user(), "user information is not permitted in the URL");
        refuse(place, url.fragment(), "fragments are not permitted in the URL");
        refuse(place, url.query(), "query parameters are not permitted in the URL");
    }

    private static void refuse(Place place, @Nullable String part, String words) {
        if (part != null && !part.isEmpty()) {
            place.invalid(GoText.quote(part), words);
        }
    }

    /** The real server takes the one for the other when it tells which is missing. */
    private static void checkService(Place service) {
        if (service.field("namespace").isBlank()) {
            service.field("name").required();
        }
        if (service.field("name").isBlank()) {
            service.field("namespace").required();
        }
        int port = service.get("port").asInt(443);
        if (port < 1 || port > 65535) {
            service.field("port").invalid("port is not valid: must be between 1 and 65535, inclusive");
        }
        String url = service.text("path");
        if (!url.isEmpty() && !url.equals("/")) {
            checkPath(service.field("path"), url);
        }
    }

    private static void checkPath(Place path, String url) {
        if (url.equals("//")) {
            path.invalid("segment[0] may not be empty");
            return;
        }
        if (!url.startsWith("/")) {
            path.invalid("must start with a '/'");
        }
        String inner = url.substring(1);
        String[] steps = (inner.endsWith("/") ? inner.substring(0, inner.length() - 1) : inner).split("/", -1);
        for (int i = 0; i < steps.length; i++) {
            if (steps[i].isEmpty()) {
                path.invalid("segment[" + i + "] may not be empty");
                continue;
            }
            for (String complaint : Names.dnsSubdomain(steps[i])) {
                path.invalid("segment[" + i + "]: " + complaint);
            }
        }
    }
}

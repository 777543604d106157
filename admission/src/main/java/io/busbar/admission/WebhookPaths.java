package io.busbar.admission;

import io.busbar.common.ResourceType;
import java.util.Locale;

/**
 * The paths at which webhooks are served, in controller-runtime's form: {@code /mutate-apps-example-com-v1-widget}.
 *
 * <p>Pure; any thread.
 */
public final class WebhookPaths {

    private WebhookPaths() {}

    public static String mutating(ResourceType type) {
        return path("mutate", type);
    }

    public static String validating(ResourceType type) {
        return path("validate", type);
    }

    private static String path(String verb, ResourceType type) {
        return "/" + verb + "-" + type.group().replace('.', '-') + "-" + type.version() + "-"
                + type.kind().toLowerCase(Locale.ROOT);
    }
}

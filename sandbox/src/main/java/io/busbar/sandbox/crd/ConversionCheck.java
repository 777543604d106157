package io.busbar.sandbox.crd;

import com.fasterxml.jackson.databind.JsonNode;
import io.busbar.sandbox.status.Causes;
import io.busbar.sandbox.status.FieldCause;
import io.busbar.sandbox.syntax.Names;
import io.busbar.sandbox.webhook.ClientConfigs;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What is wrong with the {@code conversion} of a definition. The fields in messages have the names of the first API. Any thread. */
final class ConversionCheck {

    private static final String PATH = "spec.conversion";
    private static final String NOT_A_WEBHOOK = "should not be set when strategy is not set to Webhook";

    private ConversionCheck() {}

    static List<FieldCause> of(JsonNode spec) {
        Causes causes = new Causes();
        JsonNode strategy = spec.path("conversion").path("strategy");
        JsonNode webhook = spec.path("conversion").path("webhook");
        List<String> known = List.of("None", "Webhook");
        if (strategy.asText("").isEmpty()) {
            causes.required(PATH + ".strategy", "");
        } else if (!known.contains(strategy.asText())) {
            causes.unsupported(PATH + ".strategy", strategy, known);
        }
        if (strategy.asText("").equals("Webhook")) {
            if (webhook.path("clientConfig").isObject()) {
                ClientConfigs.check(causes, PATH + ".webhookClientConfig", webhook.path("clientConfig"));
            } else {
                causes.required(PATH + ".webhookClientConfig", "required when strategy is set to Webhook");
            }
            reviewVersions(causes, webhook.path("conversionReviewVersions"));
        } else {
            if (webhook.has("clientConfig")) {
                causes.forbidden(PATH + ".webhookClientConfig", NOT_A_WEBHOOK);
            }
            if (!webhook.path("conversionReviewVersions").isEmpty()) {
                causes.forbidden(PATH + ".conversionReviewVersions", NOT_A_WEBHOOK);
            }
        }
        return causes.list();
    }

    private static void reviewVersions(Causes causes, JsonNode versions) {
        String path = PATH + ".conversionReviewVersions";
        if (versions.isEmpty()) {
            causes.required(path, "");
            return;
        }
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < versions.size(); i++) {
            String version = versions.path(i).asText();
            if (!seen.add(version)) {
                causes.invalid(path + "[" + i + "]", version, "duplicate version");
            } else {
                causes.invalid(path + "[" + i + "]", version, Names.dns1035Label(version));
            }
        }
        if (!seen.contains("v1") && !seen.contains("v1beta1")) {
            causes.invalid(path, versions, "must include at least one of v1, v1beta1");
        }
    }
}

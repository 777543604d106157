package io.busbar.sandbox.admission;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.busbar.sandbox.cel.MatchConditions;
import io.busbar.sandbox.status.Causes;
import io.busbar.sandbox.status.FieldCause;
import io.busbar.sandbox.syntax.Names;
import io.busbar.sandbox.webhook.ClientConfigs;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What is wrong with a configuration of webhooks.
 *
 * <p>One thread, once. The rules, their order and the words are those of {@code pkg/apis/admissionregistration/validation}.
 */
final class ConfigurationCheck {

    private static final List<String> NO_SIDE_EFFECTS = List.of("None", "NoneOnDryRun");
    private static final int LONGEST_TIMEOUT = 30;

    private final Causes causes = new Causes();

    private ConfigurationCheck() {}

    static List<FieldCause> of(ObjectNode configuration) {
        ConfigurationCheck check = new ConfigurationCheck();
        Set<String> names = new HashSet<>();
        JsonNode webhooks = configuration.path("webhooks");
        for (int i = 0; i < webhooks.size(); i++) {
            JsonNode webhook = webhooks.path(i);
            String path = "webhooks[" + i + "]";
            check.webhook(path, webhook);
            check.reviewVersions(path + ".admissionReviewVersions", webhook.path("admissionReviewVersions"));
            String name = webhook.path("name").asText("");
            if (!name.isEmpty() && !names.add(name)) {
                check.causes.duplicate(path + ".name", webhook.path("name"));
            }
        }
        return check.causes.list();
    }

    private void webhook(String path, JsonNode webhook) {
        name(path + ".name", webhook.path("name").asText(""));
        for (int i = 0; i < webhook.path("rules").size(); i++) {
            causes.addAll(RuleCheck.of(
                    path + ".rules[" + i + "]", webhook.path("rules").path(i)));
        }
        oneOf(path + ".failurePolicy", webhook.path("failurePolicy"), List.of("Fail", "Ignore"));
        oneOf(path + ".matchPolicy", webhook.path("matchPolicy"), List.of("Equivalent", "Exact"));
        if (webhook.path("sideEffects").asText("").isEmpty()) {
            causes.required(path + ".sideEffects", "must specify one of " + String.join(", ", NO_SIDE_EFFECTS));
        }
        oneOf(path + ".sideEffects", webhook.path("sideEffects"), NO_SIDE_EFFECTS);
        long timeout = webhook.path("timeoutSeconds").asLong(1);
        if (timeout < 1 || timeout > LONGEST_TIMEOUT) {
            causes.invalid(
                    path + ".timeoutSeconds",
                    webhook.path("timeoutSeconds"),
                    "the timeout value must be between 1 and 30 seconds");
        }
        oneOf(path + ".reinvocationPolicy", webhook.path("reinvocationPolicy"), List.of("IfNeeded", "Never"));
        ClientConfigs.check(causes, path + ".clientConfig", webhook.path("clientConfig"));
        MatchConditions.check(causes, path + ".matchConditions", webhook.path("matchConditions"));
    }

    private void name(String path, String name) {
        List<String> complaints = Names.dnsSubdomain(name);
        if (name.isEmpty()) {
            causes.required(path, "");
        } else if (!complaints.isEmpty()) {
            causes.invalid(path, name, String.join(",", complaints));
        } else if (name.split("\\.", -1).length < 3) {
            causes.invalid(path, name, "should be a domain with at least three segments separated by dots");
        }
    }

    private void oneOf(String path, JsonNode value, List<String> allowed) {
        if (!value.asText("").isEmpty() && !allowed.contains(value.asText())) {
            causes.unsupported(path, TextNode.valueOf(value.asText()), allowed);
        }
    }

    private void reviewVersions(String path, JsonNode versions) {
        if (versions.isEmpty()) {
            causes.required(path, "must specify one of v1, v1beta1");
            return;
        }
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < versions.size(); i++) {
            String version = versions.path(i).asText();
            if (seen.add(version)) {
                causes.invalid(path + "[" + i + "]", version, Names.dns1035Label(version));
            } else {
                causes.invalid(path + "[" + i + "]", version, "duplicate version");
            }
        }
        if (!seen.contains("v1") && !seen.contains("v1beta1")) {
            causes.add(FieldCause.invalid(path, versions.toString(), "must include at least one of v1, v1beta1"));
        }
    }
}

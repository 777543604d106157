package io.busbar.sandbox.admission;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.cel.MatchConditions;
import io.busbar.sandbox.storage.Metadata;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * One webhook of a configuration.
 *
 * <p>Immutable.
 *
 * @param id unique among all webhooks
 * @param ignoresFailures whether a call that fails counts as allowed
 * @param reviewVersions of {@code admission.k8s.io} that it understands, in its order
 */
record Webhook(
        String id,
        String name,
        boolean mutates,
        Matching matching,
        MatchConditions conditions,
        boolean ignoresFailures,
        Duration timeout,
        boolean dryRunnable,
        boolean reinvoked,
        List<String> reviewVersions,
        JsonNode clientConfig) {

    private static final long DEFAULT_TIMEOUT = 10;

    static List<Webhook> of(ObjectNode configuration, boolean mutates) {
        List<Webhook> webhooks = new ArrayList<>();
        String owner = Metadata.of(configuration).name();
        configuration
                .path("webhooks")
                .forEach(webhook -> webhooks.add(one(owner + "/" + webhooks.size(), webhook, mutates)));
        return webhooks;
    }

    /** Defaults are those of admissionregistration.k8s.io/v1. */
    private static Webhook one(String id, JsonNode webhook, boolean mutates) {
        List<String> versions = new ArrayList<>();
        webhook.path("admissionReviewVersions").forEach(version -> versions.add(version.asText()));
        String sideEffects = webhook.path("sideEffects").asText("None");
        return new Webhook(
                id,
                webhook.path("name").asText(),
                mutates,
                Matching.ofWebhook(webhook),
                MatchConditions.of(webhook.path("matchConditions")),
                webhook.path("failurePolicy").asText("Fail").equals("Ignore"),
                Duration.ofSeconds(webhook.path("timeoutSeconds").asLong(DEFAULT_TIMEOUT)),
                sideEffects.equals("None") || sideEffects.equals("NoneOnDryRun"),
                webhook.path("reinvocationPolicy").asText("Never").equals("IfNeeded"),
                List.copyOf(versions),
                webhook.path("clientConfig"));
    }
}

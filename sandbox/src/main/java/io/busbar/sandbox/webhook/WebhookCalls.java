package io.busbar.sandbox.webhook;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.io.IOException;
import java.time.Duration;

/**
 * The way to webhooks.
 *
 * <p>One context.
 */
@FunctionalInterface
public interface WebhookCalls {

    /** There is no way to any. */
    WebhookCalls NONE = (webhook, clientConfig, timeout, review) ->
            Future.failedFuture(new IOException("no webhook can be called here"));

    /**
     * Sends a review to where a {@code clientConfig} says.
     *
     * @param webhook its name, as faults name it
     * @return the answer; the message of a failure is what the real server would give as the reason
     */
    Future<JsonNode> call(String webhook, JsonNode clientConfig, Duration timeout, ObjectNode review);
}

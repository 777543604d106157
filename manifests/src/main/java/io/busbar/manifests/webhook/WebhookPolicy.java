package io.busbar.manifests.webhook;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How the API server asks a webhook.
 *
 * <p>Immutable; methods return a changed copy. Names and meanings are those of {@code admissionregistration.k8s.io/v1}.
 *
 * @param onFailure {@code Fail} or {@code Ignore}: what becomes of a request that the webhook does not answer
 * @param sideEffects {@code None} or {@code NoneOnDryRun}
 * @param timeout whole seconds, 1 to 30
 * @param reinvocation {@code Never} or {@code IfNeeded}; null for the API server's default, Never; mutating webhooks
 *     only
 * @param match {@code Exact} or {@code Equivalent}; null for the API server's default, Equivalent
 */
public record WebhookPolicy(
        String onFailure,
        String sideEffects,
        Duration timeout,
        @Nullable String reinvocation,
        @Nullable String match) {

    private static final Duration LONGEST = Duration.ofSeconds(30);

    /**
     * @throws IllegalArgumentException when the API server would not take it; the message names the field, its value
     *     and what is allowed
     */
    public WebhookPolicy {
        oneOf("onFailure", onFailure, "Fail", "Ignore");
        oneOf("sideEffects", sideEffects, "None", "NoneOnDryRun");
        oneOf("reinvocation", reinvocation, "Never", "IfNeeded");
        oneOf("match", match, "Exact", "Equivalent");
        if (timeout.toSeconds() < 1 || timeout.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException("timeout of a webhook: " + timeout + "; allowed: 1 to 30 s");
        }
    }

    /** Refuses what is not answered within 10 s; no side effects. */
    public static WebhookPolicy standard() {
        return new WebhookPolicy("Fail", "None", Duration.ofSeconds(10), null, null);
    }

    /** Lets pass what is not answered. */
    public WebhookPolicy ignoringFailure() {
        return new WebhookPolicy("Ignore", sideEffects, timeout, reinvocation, match);
    }

    public WebhookPolicy within(Duration limit) {
        return new WebhookPolicy(onFailure, sideEffects, limit, reinvocation, match);
    }

    /** Has effects beside its answer, but none when {@code dryRun} is set. */
    public WebhookPolicy withSideEffectsUnlessDryRun() {
        return new WebhookPolicy(onFailure, "NoneOnDryRun", timeout, reinvocation, match);
    }

    /** Asks about the versions that rules name, and not about others of the same objects. */
    public WebhookPolicy matchingExactly() {
        return new WebhookPolicy(onFailure, sideEffects, timeout, reinvocation, "Exact");
    }

    /** Asks again when another webhook has changed the object since. */
    public WebhookPolicy reinvokedIfNeeded() {
        return new WebhookPolicy(onFailure, sideEffects, timeout, "IfNeeded", match);
    }

    private static void oneOf(String field, @Nullable String value, String... allowed) {
        if (value != null && !List.of(allowed).contains(value)) {
            throw new IllegalArgumentException(
                    field + " of a webhook: '" + value + "'; allowed: " + String.join(", ", allowed));
        }
    }
}

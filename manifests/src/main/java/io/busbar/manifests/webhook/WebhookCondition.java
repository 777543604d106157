package io.busbar.manifests.webhook;

import java.util.regex.Pattern;

/**
 * What must hold for a webhook to be asked, beside its rules and selectors: one of its {@code matchConditions}.
 *
 * <p>Immutable. API servers have them since Kubernetes 1.28 (1.27 behind a feature gate). Older ones drop them without
 * a word and ask about everything that the rules name, so that the operator's own rule must come to the same end
 * without them: they save calls, and decide nothing.
 *
 * @param name in error messages; unique in its webhook
 * @param expression in CEL, of {@code object}, {@code oldObject}, {@code request} and {@code authorizer}
 */
public record WebhookCondition(String name, String expression) {

    private static final Pattern NAME =
            Pattern.compile("([a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?/)?[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?");

    /**
     * @throws IllegalArgumentException for a name that is not qualified, and no expression
     */
    public WebhookCondition {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("name of a webhook's condition: '" + name
                    + "'; allowed: up to 63 letters, digits, '-', '_' and '.', with or without a domain and / before");
        }
        if (expression.isBlank()) {
            throw new IllegalArgumentException(
                    "expression of a webhook's condition '" + name + "': none; allowed: one in CEL, a boolean");
        }
    }
}

package io.busbar.sandbox.core;

import com.fasterxml.jackson.databind.node.ObjectNode;

/** Defaults of webhook configurations, in place. Any thread. */
final class WebhookDefaults {

    private WebhookDefaults() {}

    static void webhooks(ObjectNode configuration, boolean mutating) {
        Fields.each(configuration.path("webhooks"), webhook -> {
            Fields.text(webhook, "failurePolicy", "Fail");
            Fields.text(webhook, "matchPolicy", "Equivalent");
            Fields.in(webhook, "namespaceSelector");
            Fields.in(webhook, "objectSelector");
            Fields.number(webhook, "timeoutSeconds", 10);
            if (mutating) {
                Fields.text(webhook, "reinvocationPolicy", "Never");
            }
            Fields.ifObject(
                    webhook.path("clientConfig").get("service"), service -> Fields.number(service, "port", 443));
            Fields.each(webhook.path("rules"), rule -> Fields.text(rule, "scope", "*"));
        });
    }
}

package io.busbar.sandbox.admission;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.rules.BuiltInRules;
import io.busbar.sandbox.rules.Fields;
import io.busbar.sandbox.status.Causes;
import org.jspecify.annotations.Nullable;

/** The rules of configurations of webhooks. Any thread. */
public final class ConfigurationRules extends BuiltInRules {

    public ConfigurationRules(Facts facts) {
        super(facts);
    }

    @Override
    protected void fillDefaults(ObjectNode configuration) {
        boolean mutating = type().kind().equals("MutatingWebhookConfiguration");
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

    @Override
    protected void check(Causes causes, ObjectNode configuration, @Nullable ObjectNode before, String subresource) {
        causes.addAll(ConfigurationCheck.of(configuration));
    }
}

package io.busbar.sandbox.admission;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.rules.BuiltInRules;
import io.busbar.sandbox.status.Causes;
import org.jspecify.annotations.Nullable;

/** The rules of configurations of webhooks. Any thread. */
public final class ConfigurationRules extends BuiltInRules {

    public ConfigurationRules(Facts facts) {
        super(facts);
    }

    @Override
    protected void check(Causes causes, ObjectNode configuration, @Nullable ObjectNode before, String subresource) {
        causes.addAll(ConfigurationCheck.of(configuration));
    }
}

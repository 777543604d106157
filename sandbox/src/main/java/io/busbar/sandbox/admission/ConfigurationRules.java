package io.busbar.sandbox.admission;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.resource.ForwardingRules;
import io.busbar.sandbox.resource.KindRules;
import io.busbar.sandbox.status.FieldCause;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rules of configurations of webhooks, on top of those of all kinds.
 *
 * <p>Immutable.
 */
public final class ConfigurationRules extends ForwardingRules {

    public ConfigurationRules(KindRules standard) {
        super(standard);
    }

    @Override
    public List<FieldCause> validate(ObjectNode configuration, @Nullable ObjectNode before, String subresource) {
        List<FieldCause> causes = new ArrayList<>(super.validate(configuration, before, subresource));
        causes.addAll(ConfigurationCheck.of(configuration));
        return causes;
    }
}

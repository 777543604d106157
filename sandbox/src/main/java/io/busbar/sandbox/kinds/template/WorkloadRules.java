package io.busbar.sandbox.kinds.template;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.kinds.pod.PodWarnings;
import io.busbar.sandbox.rules.BuiltInRules;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The rules of what makes Pods of a template, as far as they are the same for all. Any thread. */
public class WorkloadRules extends BuiltInRules {

    public WorkloadRules(Facts facts) {
        super(facts);
    }

    @Override
    public final List<String> warnings(ObjectNode object, @Nullable ObjectNode before) {
        return PodWarnings.ofTemplate(object, before);
    }
}

package io.busbar.sandbox.kinds;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.rules.BuiltInRules;
import io.busbar.sandbox.rules.Fields;
import io.busbar.sandbox.storage.Metadata;

/** The rules of Namespaces: each has a label with its name, and a finalizer in its spec. Any thread. */
final class NamespaceRules extends BuiltInRules {

    private static final String NAME_LABEL = "kubernetes.io/metadata.name";

    NamespaceRules(Facts facts) {
        super(facts);
    }

    @Override
    protected void fillDefaults(ObjectNode namespace) {
        String name = Metadata.of(namespace).name();
        if (!name.isEmpty()) {
            Fields.in(Fields.in(namespace, "metadata"), "labels").put(NAME_LABEL, name);
        }
    }

    @Override
    protected void prepareNew(ObjectNode namespace) {
        namespace.withObject("/spec").putArray("finalizers").add("kubernetes");
    }
}

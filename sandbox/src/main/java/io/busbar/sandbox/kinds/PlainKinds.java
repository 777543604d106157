package io.busbar.sandbox.kinds;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.rules.BuiltInRules;
import io.busbar.sandbox.rules.Fields;
import io.busbar.sandbox.storage.Metadata;

/** Rules of kinds that have a line or two of their own. */
final class PlainKinds {

    private PlainKinds() {}

    /** Each has a label with its name, and a finalizer in its spec. Any thread. */
    static final class Namespaces extends BuiltInRules {

        private static final String NAME_LABEL = "kubernetes.io/metadata.name";

        Namespaces(Facts facts) {
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

    /** What they hold is anybody's, and is kept as it is. Any thread. */
    static final class Untouched extends BuiltInRules {

        Untouched(Facts facts) {
            super(facts);
        }

        @Override
        protected boolean dropsEmpty() {
            return false;
        }
    }
}

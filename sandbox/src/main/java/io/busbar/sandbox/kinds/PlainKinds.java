package io.busbar.sandbox.kinds;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.kinds.pod.PodDefaults;
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

        @Override
        protected ObjectNode initialStatus(ObjectNode namespace) {
            return JsonNodeFactory.instance.objectNode().put("phase", "Active");
        }
    }

    /** Any thread. */
    static final class PodTemplates extends BuiltInRules {

        PodTemplates(Facts facts) {
            super(facts);
        }

        @Override
        protected void fillDefaults(ObjectNode template) {
            Fields.ifObject(template.get("template"), PodDefaults::template);
        }
    }

    /** Any thread. */
    static final class EndpointLists extends BuiltInRules {

        EndpointLists(Facts facts) {
            super(facts);
        }

        @Override
        protected void fillDefaults(ObjectNode endpoints) {
            Fields.each(
                    endpoints.path("subsets"),
                    subset -> Fields.each(subset.path("ports"), port -> Fields.text(port, "protocol", "TCP")));
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

package io.busbar.sandbox.kinds.statefulset;

import com.fasterxml.jackson.databind.node.ObjectNode;

/** What is to be done next to a StatefulSet's Pods. Immutable. */
sealed interface Step {

    /** @param updated whether with the template as it is, or with that before */
    record Make(int ordinal, boolean updated) implements Step {}

    record Remove(ObjectNode pod) implements Step {}
}

package io.busbar.sandbox.apply;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a write changes, as each version sees it. One thread. */
final class Changes {

    private final ObjectNode before;
    private final ObjectNode after;
    private final Versions versions;
    private final Map<String, @Nullable Difference> known = new HashMap<>();

    /** @param apiVersion of both objects */
    Changes(ObjectNode before, ObjectNode after, String apiVersion, Versions versions) {
        this.before = before;
        this.after = after;
        this.versions = versions;
        known.put(apiVersion, difference(before, after, apiVersion));
    }

    /** Null in a version that is served no more. */
    @Nullable
    Difference in(String apiVersion) {
        if (!known.containsKey(apiVersion)) {
            ObjectNode then = versions.convert(before, apiVersion);
            ObjectNode now = then == null ? null : versions.convert(after, apiVersion);
            known.put(apiVersion, then == null || now == null ? null : difference(then, now, apiVersion));
        }
        return known.get(apiVersion);
    }

    private Difference difference(ObjectNode then, ObjectNode now, String apiVersion) {
        return Difference.between(then, now, versions.lists(apiVersion)).counted(versions.filter(apiVersion));
    }
}

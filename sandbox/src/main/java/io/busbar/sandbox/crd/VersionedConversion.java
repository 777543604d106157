package io.busbar.sandbox.crd;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.resource.Conversion;
import io.busbar.sandbox.storage.Metadata;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How one version of a definition is served from what is stored, which may be in any version that ever was the storage
 * version.
 *
 * <p>One context. What was written before the schema changed gets, as it is read, the defaults of the version it is
 * stored in and loses what that does not know; what is converted loses what the new version does not know, and gets no
 * defaults, as in the real server.
 */
final class VersionedConversion implements Conversion {

    private final String served;
    private final String stored;
    private final Map<String, CustomRules> rules;
    private final long since;
    private final Converter converter;

    /**
     * @param rules of all versions, by apiVersion
     * @param since the revision as of which the schemas are as they are
     */
    VersionedConversion(String served, String stored, Map<String, CustomRules> rules, long since, Converter converter) {
        this.served = served;
        this.stored = stored;
        this.rules = Map.copyOf(rules);
        this.since = since;
        this.converter = converter;
    }

    @Override
    public Future<List<ObjectNode>> toServed(List<ObjectNode> objects) {
        return into(served, objects.stream().map(this::current).toList(), false);
    }

    /** What is stored has the defaults of its version, as whoever reads it would find. */
    @Override
    public Future<List<ObjectNode>> toStored(List<ObjectNode> objects) {
        return into(stored, objects, true);
    }

    @Override
    public Future<ObjectNode> toServed(ObjectNode other, Conversion from) {
        return into(served, List.of(other), false).map(one -> one.get(0));
    }

    private ObjectNode current(ObjectNode object) {
        String revision = Metadata.of(object).resourceVersion();
        CustomRules own = rules.get(apiVersion(object));
        boolean older = !revision.isEmpty() && Long.parseLong(revision) <= since;
        return own == null || !older ? object : own.decode(object);
    }

    private Future<List<ObjectNode>> into(String apiVersion, List<ObjectNode> objects, boolean defaults) {
        List<ObjectNode> others = objects.stream()
                .filter(object -> !apiVersion(object).equals(apiVersion))
                .toList();
        if (others.isEmpty()) {
            return Future.succeededFuture(objects);
        }
        return converter.convert(others, apiVersion).map(converted -> merged(apiVersion, objects, converted, defaults));
    }

    private List<ObjectNode> merged(
            String apiVersion, List<ObjectNode> objects, List<ObjectNode> converted, boolean defaults) {
        @Nullable CustomRules target = rules.get(apiVersion);
        List<ObjectNode> merged = new ArrayList<>();
        int next = 0;
        for (ObjectNode object : objects) {
            if (apiVersion(object).equals(apiVersion)) {
                merged.add(object);
            } else {
                ObjectNode other = converted.get(next++);
                merged.add(target == null ? other : defaults ? target.decode(other) : target.pruned(other));
            }
        }
        return merged;
    }

    private static String apiVersion(ObjectNode object) {
        return object.path("apiVersion").asText();
    }
}

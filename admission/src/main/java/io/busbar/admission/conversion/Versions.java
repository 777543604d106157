package io.busbar.admission.conversion;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.common.ResourceType;
import io.busbar.common.guard.Thrown;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The versions of one kind: a hub, which its rules and controllers know, and spokes, which are converted from and to
 * it. From spoke to spoke the way leads through the hub.
 *
 * <p>Immutable.
 *
 * @param <H> the hub
 */
public final class Versions<H extends HasMetadata> {

    private final Model<H> hub;
    /** To the hub, by the spoke's version. */
    private final Map<String, Translation<?, H>> spokes;

    private Versions(Model<H> hub, Map<String, Translation<?, H>> spokes) {
        this.hub = hub;
        this.spokes = spokes;
    }

    public static <H extends HasMetadata> Versions<H> hub(Class<H> type) {
        return new Versions<>(Model.of(type), Map.of());
    }

    /**
     * These and one more.
     *
     * @throws IllegalArgumentException when it is of another kind than the hub, or there is such a version already
     */
    public <S extends HasMetadata> Versions<H> spoke(Class<S> type, Converter<S, H> converter) {
        Model<S> spoke = Model.of(type);
        String version = spoke.resource().version();
        if (!sameKind(spoke.resource(), hub.resource())) {
            throw new IllegalArgumentException(spoke.resource() + " is not a version of " + hub.resource());
        }
        if (spokes.containsKey(version) || hub.resource().version().equals(version)) {
            throw new IllegalArgumentException(hub.resource() + " has two versions " + version);
        }
        Map<String, Translation<?, H>> more = new LinkedHashMap<>(spokes);
        more.put(version, new Translation<>(spoke, hub, converter::toHub, converter::fromHub));
        return new Versions<>(hub, more);
    }

    private static boolean sameKind(ResourceType one, ResourceType other) {
        return one.toString().equals(other.toString()) && one.kind().equals(other.kind());
    }

    /** The hub's. */
    public ResourceType resource() {
        return hub.resource();
    }

    /** The classes of all versions, the hub's first. */
    public List<Class<? extends HasMetadata>> types() {
        List<Class<? extends HasMetadata>> types = new ArrayList<>(List.of(hub.type()));
        spokes.values().forEach(spoke -> types.add(spoke.from().type()));
        return List.copyOf(types);
    }

    /** The names of all versions, such as {@code v1}. */
    public Set<String> names() {
        Set<String> names = new LinkedHashSet<>(Set.of(hub.resource().version()));
        names.addAll(spokes.keySet());
        return names;
    }

    /**
     * An object in another version of its kind; names and all else of its metadata but labels and annotations stay.
     *
     * @param object is left as it is, and returned where nothing is to be done
     * @param apiVersion with the group, such as {@code example.com/v2}
     * @throws UnconvertibleException naming the object and the reason
     */
    public ObjectNode convert(ObjectNode object, String apiVersion) throws UnconvertibleException {
        String from = object.path("apiVersion").asText();
        if (from.equals(apiVersion)) {
            return object;
        }
        try {
            Translation<?, H> toHub = spoke(from);
            Translation<?, H> toSpoke = spoke(apiVersion);
            ObjectNode inHub = toHub == null ? object : toHub.apply(object);
            return toSpoke == null ? inHub : toSpoke.reversed().apply(inHub);
        } catch (RuntimeException e) {
            throw new UnconvertibleException(resource().kind() + " \""
                    + object.at("/metadata/name").asText() + "\" cannot be converted from " + from + " to " + apiVersion
                    + ": " + Thrown.messageOrText(e));
        }
    }

    /** Null for the hub itself. */
    private @Nullable Translation<?, H> spoke(String apiVersion) {
        if (apiVersion.equals(hub.resource().apiVersion())) {
            return null;
        }
        Translation<?, H> spoke = spokes.get(apiVersion.substring(apiVersion.indexOf('/') + 1));
        if (spoke == null || !spoke.from().resource().apiVersion().equals(apiVersion)) {
            throw new IllegalArgumentException("'" + apiVersion + "' is none of its versions: "
                    + hub.resource().version() + ", " + String.join(", ", spokes.keySet()) + " of "
                    + hub.resource().group());
        }
        return spoke;
    }
}

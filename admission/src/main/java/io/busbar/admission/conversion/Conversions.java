package io.busbar.admission.conversion;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Collection;
import java.util.List;

/**
 * The kinds that a webhook converts.
 *
 * <p>Immutable.
 */
public record Conversions(List<Versions<?>> kinds) {

    /** Where it is served, as by controller-runtime. */
    public static final String PATH = "/convert";

    public Conversions {
        kinds = List.copyOf(kinds);
    }

    public static Conversions none() {
        return new Conversions(List.of());
    }

    public static Conversions of(Collection<Versions<?>> kinds) {
        return new Conversions(List.copyOf(kinds));
    }

    /**
     * An object in another version of its kind.
     *
     * @throws UnconvertibleException naming the object and the reason
     */
    public ObjectNode convert(ObjectNode object, String apiVersion) throws UnconvertibleException {
        String kind = object.path("kind").asText();
        String group = group(object.path("apiVersion").asText());
        for (Versions<?> versions : kinds) {
            if (versions.resource().kind().equals(kind)
                    && versions.resource().group().equals(group)) {
                return versions.convert(object, apiVersion);
            }
        }
        throw new UnconvertibleException(
                kind + " \"" + object.at("/metadata/name").asText()
                        + "\" cannot be converted: this webhook converts no " + kind + " of group '" + group + "'");
    }

    private static String group(String apiVersion) {
        return apiVersion.substring(0, Math.max(0, apiVersion.indexOf('/')));
    }
}

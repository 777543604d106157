package io.busbar.blueprint.types;

import io.busbar.common.ResourceType;
import io.fabric8.kubernetes.api.Pluralize;
import java.util.Locale;
import java.util.Optional;

/**
 * What is known of a kind.
 *
 * <p>Immutable.
 *
 * @param shape of its objects
 * @param plural as in URLs
 */
public record KindType(Shape shape, String plural, boolean namespaced) {

    /** The group of an API version, such as {@code apps} of {@code apps/v1}; empty for the core group. */
    public static String group(String apiVersion) {
        int slash = apiVersion.indexOf('/');
        return slash < 0 ? "" : apiVersion.substring(0, slash);
    }

    /**
     * A kind as the API server serves it.
     *
     * @param known empty for one that nobody knows: its plural is guessed, and that it is in namespaces
     */
    public static ResourceType served(String apiVersion, String kind, Optional<KindType> known) {
        return new ResourceType(
                group(apiVersion),
                apiVersion.substring(apiVersion.indexOf('/') + 1),
                kind,
                known.map(KindType::plural).orElseGet(() -> Pluralize.toPlural(kind.toLowerCase(Locale.ROOT))),
                known.map(KindType::namespaced).orElse(true));
    }
}

package io.busbar.sandbox.resource;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a CustomResourceDefinition says of one of its versions, beside its schema.
 *
 * <p>Immutable.
 *
 * @param selectableFields such as {@code spec.color}, by which a client may select
 * @param scale {@code specReplicasPath}, {@code statusReplicasPath}, {@code labelSelectorPath}; null without that
 *     subresource
 * @param warning said to each client of a deprecated version; null for none
 * @param since the revision as of which the definition says this
 * @param ending whether the definition is being deleted, so that nothing more is created
 */
public record CustomVersion(
        Set<String> selectableFields,
        @Nullable JsonNode scale,
        @Nullable String warning,
        long since,
        boolean ending) {}

package io.busbar.sandbox.resource;

import com.fasterxml.jackson.databind.JsonNode;
import org.jspecify.annotations.Nullable;

/**
 * What a CustomResourceDefinition says of one of its versions, beside its schema.
 *
 * <p>Immutable.
 *
 * @param printerColumns the array of {@code additionalPrinterColumns}, maybe empty
 * @param scale {@code specReplicasPath}, {@code statusReplicasPath}, {@code labelSelectorPath}; null without that subresource
 * @param warning said to each client of a deprecated version; null for none
 */
public record CustomVersion(
        JsonNode printerColumns,
        @Nullable JsonNode scale,
        @Nullable String warning) {}

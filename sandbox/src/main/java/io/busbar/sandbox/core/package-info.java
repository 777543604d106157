/**
 * What all kinds share: their metadata, as Go decodes it and as the API server checks it, and quantities.
 *
 * <pre>
 *   a body ──▶ TypedMetadata ──▶ ... ──▶ MetadataValidation ──▶ causes
 * </pre>
 *
 * What is particular to a built-in kind stands in its room, below {@link io.busbar.sandbox.kinds}.
 */
@NullMarked
package io.busbar.sandbox.core;

import org.jspecify.annotations.NullMarked;

/**
 * What all kinds share, built-in and custom: their metadata, as Go decodes it and as the API server checks it.
 *
 * <pre>
 *   a body ──▶ TypedMetadata ──▶ ... ──▶ MetadataValidation ──▶ causes
 * </pre>
 */
@NullMarked
package io.busbar.sandbox.metadata;

import org.jspecify.annotations.NullMarked;

/**
 * What a CRD's {@code openAPIV3Schema} does to an object that comes in.
 *
 * <pre>
 *   schema ──▶ StructuralSchema
 *   object ──▶ prune (Pruning) ──▶ withDefaults (Defaulting) ──▶ validate (Validation, Constraints, Uniqueness) ──▶ causes
 * </pre>
 *
 * Messages are the API server's. CEL rules ({@code x-kubernetes-validations}) are another package's.
 */
@NullMarked
package io.busbar.sandbox.schema;

import org.jspecify.annotations.NullMarked;

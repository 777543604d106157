/**
 * What objects look like: of built-in kinds, of kinds that an OpenAPI document or a definition describes, and of
 * instances.
 *
 * <pre>
 *   fabric8's classes ──ModelTypes──┐
 *   OpenAPI v3, CRDs ──OpenApiTypes─┼─▶ Types ──KindType──▶ Shape ──ShapeTypes──▶ types of CEL
 *                                   ┘                         ├──ShapeFit──▶ does this value, or this type, fit here?
 *                                                             └──ShapeValues──▶ values of CEL
 * </pre>
 */
@NullMarked
package io.busbar.blueprint.types;

import org.jspecify.annotations.NullMarked;

/**
 * Blueprints, packed into a program of their own.
 *
 * <pre>
 *   Blueprints, checked ──▶ PackedOperator ──▶ PackedJar: the toolkit, and the PackedOperator as resources
 *                                            └──▶ PackedImage: an image of the toolkit, and one more layer
 *   java -jar shop.jar ──▶ Main ──▶ PackedOperator of its own resources ──▶ BlueprintOperator
 * </pre>
 */
@NullMarked
package io.busbar.blueprint.packed;

import org.jspecify.annotations.NullMarked;

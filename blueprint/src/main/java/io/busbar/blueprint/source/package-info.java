/**
 * YAML with the place of each part, and what is wrong at a place.
 *
 * <pre>
 *   text ──SourceReader──▶ SourceNode (path, line, column) ──▶ whoever reads it ──▶ Problems, by position
 * </pre>
 */
@NullMarked
package io.busbar.blueprint.source;

import org.jspecify.annotations.NullMarked;

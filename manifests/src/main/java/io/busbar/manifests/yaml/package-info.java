/**
 * Objects as text.
 *
 * <pre>
 *   object ──▶ JSON tree ──▶ Yaml ──▶ one document, the same for equal objects
 * </pre>
 */
@NullMarked
package io.busbar.manifests.yaml;

import org.jspecify.annotations.NullMarked;

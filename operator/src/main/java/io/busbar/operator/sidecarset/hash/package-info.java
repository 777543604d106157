/**
 * The hashes by which a Pod's sidecars are known to be of the current spec, equal to OpenKruise's to the byte.
 *
 * <pre>
 *   containers ──▶ ContainerShape (the Go structs as a table) ──▶ GoJson (encoding/json's spelling) ──▶ SidecarSetHash
 *                    └ CanonicalQuantity
 * </pre>
 */
@NullMarked
package io.busbar.operator.sidecarset.hash;

import org.jspecify.annotations.NullMarked;

/**
 * What a SidecarSet is stored as.
 *
 * <pre>
 *   as written ──▶ SidecarSetDefaulter ─┬─ containers: ContainerShape, CONTAINER's table, ImageReference
 *                                       ├─ volumes: VOLUME's table
 *                                       ├─ strategies
 *                                       └─ hashes, as annotations ──▶ stored
 * </pre>
 */
@NullMarked
package io.busbar.operator.sidecarset.defaulting;

import org.jspecify.annotations.NullMarked;

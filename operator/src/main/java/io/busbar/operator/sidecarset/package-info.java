/**
 * SidecarSet: containers that are injected into new Pods, counted, and kept up to date in place.
 *
 * <pre>
 *   v1alpha1 ──▶ v1beta1     the kind, in the version that was and the one that is stored
 *   defaulting ▶ hash        what is stored when a user applies one, unless validation refuses it
 *   matching                 which Pods it is for
 *   inject ──▶ pod ◀── roll  into new Pods; what these remember; onto running ones, with the status
 *   history                  the specs that were
 * </pre>
 *
 * {@link io.busbar.operator.sidecarset.SidecarSetBundle} puts all of it together.
 */
@NullMarked
package io.busbar.operator.sidecarset;

import org.jspecify.annotations.NullMarked;

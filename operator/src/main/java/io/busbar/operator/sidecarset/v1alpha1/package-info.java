/**
 * The types of {@code apps.kruise.io/v1alpha1} that differ from those of v1beta1, and how one becomes the other.
 *
 * <pre>
 *   v1alpha1.SidecarSet ──SidecarSetConverter──▶ v1beta1.SidecarSet: stored, and all that webhooks and controller know
 * </pre>
 */
@NullMarked
package io.busbar.operator.sidecarset.v1alpha1;

import org.jspecify.annotations.NullMarked;

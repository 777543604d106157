/**
 * A sidecar's resources as a share of the Pod's.
 *
 * <pre>
 *   ResourcesPolicy ──▶ DerivedResources ◀── the Pod's own containers ──▶ ContainerTotals
 *                             └── Calculator, as in {@code max(cpu*50%, 50m)} ──▶ Amount
 * </pre>
 */
@NullMarked
package io.busbar.operator.sidecarset.resources;

import org.jspecify.annotations.NullMarked;

/**
 * The specs that a SidecarSet has had, as ControllerRevisions in the operator's namespace.
 *
 * <pre>
 *   SidecarSet ──▶ RevisionData ──equal to the newest?──▶ keep
 *                               ──equal to an older one?─▶ make it the newest (a rollback)
 *                               ──else───────────────────▶ create; then drop the oldest beyond the limit
 * </pre>
 */
@NullMarked
package io.busbar.operator.sidecarset.history;

import org.jspecify.annotations.NullMarked;

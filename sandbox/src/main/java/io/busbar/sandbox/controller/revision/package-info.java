/**
 * The templates that StatefulSets and DaemonSets had, kept as ControllerRevisions.
 *
 * <pre>
 *   template ──▶ RevisionHistory ▶ one that is equal | a new one ──▶ History ──▶ the controller, which names what lives
 * </pre>
 */
@NullMarked
package io.busbar.sandbox.controller.revision;

import org.jspecify.annotations.NullMarked;

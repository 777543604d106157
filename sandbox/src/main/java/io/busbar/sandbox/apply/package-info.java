/**
 * Who owns which field: server-side apply, and the bookkeeping of every other write.
 *
 * <pre>
 *   live, config ──▶ ServerSideApply ──▶ TypedValidation ▶ Typed.merge ▶ Withdrawal ▶ Changes ▶ Ownership ──▶ Applied | Conflicts
 *   live, changed ─▶ ManagedFields.update ──────────────────────────────▶ Changes ▶ Ownership ──▶ object
 *
 *   Typed        values walked with the shape of their lists (ListTopology): fields, merge, removal
 *   FieldSet     a set of paths, and its wire form FieldsV1; FieldFilter leaves out what a write resets
 *   Changes      what a write changes, in the version (Versions) of each owner
 *   Ownership    metadata.managedFields, read and written
 *   ScaleOwners  whose the replicas are, seen from a Scale
 * </pre>
 *
 * The rules are those of sigs.k8s.io/structured-merge-diff; the words are kube-apiserver's.
 */
@NullMarked
package io.busbar.sandbox.apply;

import org.jspecify.annotations.NullMarked;

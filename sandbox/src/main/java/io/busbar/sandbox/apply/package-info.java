/**
 * Who owns which field: server-side apply, and the bookkeeping of every other write.
 *
 * <pre>
 *   live, config ──▶ ServerSideApply ──▶ Typed.merge ▶ Typed.remove what the manager gave up ▶ Ownership.changed ──▶ Applied | Conflicts
 *   live, changed ─▶ ManagedFields.update ────────────────────────────────────────────────────────▶ Ownership.changed ──▶ object
 *
 *   Typed        values walked with the shape of their lists (ListTopology): fields, differences, merge, removal
 *   FieldSet     a set of paths, and its wire form FieldsV1
 *   Ownership    metadata.managedFields, read and written
 * </pre>
 *
 * The rules are those of sigs.k8s.io/structured-merge-diff; the words are kube-apiserver's.
 */
@NullMarked
package io.busbar.sandbox.apply;

import org.jspecify.annotations.NullMarked;

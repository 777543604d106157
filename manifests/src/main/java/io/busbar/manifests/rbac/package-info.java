/**
 * What an operator may do, and what people may do with its kinds.
 *
 * <pre>
 *   Permission… ──▶ Rules (merged, sorted) ──▶ Roles: ClusterRole and Role of the operator
 *   kinds ──────────────────────────────▶ Roles: admin, editor and viewer of each kind
 * </pre>
 */
@NullMarked
package io.busbar.manifests.rbac;

import org.jspecify.annotations.NullMarked;

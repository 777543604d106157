/**
 * Who may do what, by Roles, ClusterRoles and their bindings.
 *
 * <pre>
 *   Caller, AccessRequest ──▶ Authorizer ──▶ Verdict
 *                               ├ Unrestricted
 *                               └ RbacAuthorizer ──▶ Grants (by namespace and subject) ──▶ Rule
 *   bindings, roles ──StoreEvent──▶ Grants                Escalation ◀── writes of roles and bindings
 *   Bootstrap: what every cluster begins with             Aggregation: roles that are the sum of others
 * </pre>
 */
@NullMarked
package io.busbar.sandbox.rbac;

import org.jspecify.annotations.NullMarked;

/**
 * What a Blueprint needs in a cluster: the definition of its kind, and the permissions of its account.
 *
 * <pre>
 *   CheckedBlueprint ──┬──▶ Definition ──▶ CustomResourceDefinition
 *                      └──▶ Permissions ──▶ Role or ClusterRole, with notes
 * </pre>
 */
@NullMarked
package io.busbar.blueprint.definition;

import org.jspecify.annotations.NullMarked;

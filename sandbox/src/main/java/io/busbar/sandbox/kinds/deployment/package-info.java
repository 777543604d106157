/**
 * Rolls Deployments out.
 *
 * <pre>
 *   Deployment or its ReplicaSets ──▶ Deployments ▶ Family (new and old sets)
 *        ├─ Revisions ──▶ the new set is found or made, and numbered
 *        ├─ Scaling, RollingUpdate (pure) ──▶ sets grow and shrink
 *        └─ DeploymentStatus (pure) ──▶ status
 * </pre>
 *
 * The steps are those of the deployment controller of kube-controller-manager. Not imitated: the hash of a template is
 * another than there, and the old annotation that asks for a rollback.
 */
@NullMarked
package io.busbar.sandbox.kinds.deployment;

import org.jspecify.annotations.NullMarked;

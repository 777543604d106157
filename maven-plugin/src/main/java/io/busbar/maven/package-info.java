/**
 * The scaffold's commands and kubebuilder's verbs as goals of Maven.
 *
 * <pre>
 *   init, create-api, create-webhook, edit, update ──ScaffoldGoal──▶ the engine of the scaffold
 *   run, dev, manifests ──OperatorGoal──▶ OperatorProcess: the project's program, in a process of its own
 *   install, uninstall, deploy, undeploy ──ClusterGoal──▶ manifests ──ClusterFiles──▶ the cluster of KUBECONFIG
 *   image ──▶ ProgramImage: from the program in one jar to a tar file with an OCI image
 * </pre>
 */
@NullMarked
package io.busbar.maven;

import org.jspecify.annotations.NullMarked;

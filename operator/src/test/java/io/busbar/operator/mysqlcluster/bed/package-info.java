/**
 * Real database servers for tests, and a Node that runs them for Pods.
 *
 * <pre>
 *   NewData (made once) ─▶ a copy for each server ─▶ LocalServer: start, kill, freeze, stop
 *
 *   NodeHeartbeat ─▶ Node, Lease                         a test ─▶ DatabasePod: kill, hold, freeze, cut off, quota
 *   Pod on the Node ─▶ BoundPods ─▶ PodRunner (a thread each)       │
 *        ContainerPlans (Environment, Volumes, ServerImage) ─▶ RunningContainer ─▶ enter.sh ─▶ a server, or a Job's command
 *        ContainerHistory ─▶ PodStatuses ─▶ API server
 * </pre>
 *
 * {@link io.busbar.operator.mysqlcluster.bed.DatabaseNode#start} is the way in. It does what a kubelet and a container
 * runtime do, on Linux and as root: each container has a file system and processes to itself, while the network is the
 * machine's. Not imitated: images (what listens on 3306 is MariaDB or MySQL by the image's name, in the version that
 * this machine has; all else is this machine's file system), several containers in a Pod but those of the operator's own
 * image and the exporter of a member (mysqld_exporter.sh says what that one does not do), init containers, probes
 * other than that port's, limits, logs and exec; files of ConfigMaps and Secrets are as they were when the container
 * started.
 */
@NullMarked
package io.busbar.operator.mysqlcluster.bed;

import org.jspecify.annotations.NullMarked;

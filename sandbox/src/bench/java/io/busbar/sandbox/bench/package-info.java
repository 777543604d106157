/**
 * A sandbox, fabric8's mock server and a real kube-apiserver under the same load.
 *
 * <pre>
 *   SandboxBench ──starts──▶ ServedAlone (sandbox or mock, each in a JVM of its own); the real one is that of KUBECONFIG
 *        └──▶ Load: raw HTTP on eight connections, watches by WebSocket ──▶ Figures ──▶ a table with ratios
 *
 *   Comparison ──five rounds, in turns──▶ ComparedTest (a JVM as that of a test: one client) ──starts──▶ TestServer, each Kind ──▶ a table
 * </pre>
 */
@NullMarked
package io.busbar.sandbox.bench;

import org.jspecify.annotations.NullMarked;

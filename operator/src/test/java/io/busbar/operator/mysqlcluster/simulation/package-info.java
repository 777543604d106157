/**
 * A cluster in memory: servers that replicate, Pods that run them, clients that write, and an operator that may end at
 * any call.
 *
 * <pre>
 *   MySQLCluster ─▶ SimulatedCluster ─┬─ the operator as it is wired ──SQL──▶ SimulatedServers ─▶ SimulatedServer
 *                                     │        └──API──▶ CountedRequests ▶ the test kit's      ▲
 *                                     ├─ Calls: each call that changes something; one of them  │
 *                                     │  may go wrong                                          │
 *                                     └─ what kubelets, controllers, Jobs and clients do ──────┘
 * </pre>
 */
@NullMarked
package io.busbar.operator.mysqlcluster.simulation;

import org.jspecify.annotations.NullMarked;

/**
 * What a MySQLCluster consists of in the cluster. Pure: each object is made from what is asked for alone.
 *
 * <pre>
 *   MySQLCluster ─▶ ClusterObjects ─┬─ Services &lt;name&gt;-headless, -primary, -replicas (service.yaml)
 *                                   ├─ ConfigMaps &lt;name&gt;-config-&lt;hash&gt; ◀── ServerConfig (my.cnf)
 *                                   ├─ StatefulSet &lt;name&gt;, or a Deployment (statefulset.yaml, pod.yaml, exporter.yaml)
 *                                   └─ PodDisruptionBudget &lt;name&gt;
 * </pre>
 */
@NullMarked
package io.busbar.operator.mysqlcluster.objects;

import org.jspecify.annotations.NullMarked;

/**
 * A Kubernetes API server inside the JVM, for development and tests: real HTTP and HTTPS, held to kube-apiserver by a
 * suite that runs against both.
 *
 * <pre>
 *   kubectl, any client ──HTTPS──▶ http ──▶ verbs ──▶ storage ──watch──▶ http ──▶ clients
 *                                            │ ▲          └──ChangeFeed──▶ server: namespaces, kubelet, scheduler, garbage collector, controllers
 *                                            ▼ │
 *     kinds, rules, model, crd, schema, cel, patch, apply   admission ──▶ policy, quota, priority ──AdmissionReview──▶ webhooks
 * </pre>
 *
 * What is particular to a built-in kind stands in its room, below {@link io.busbar.sandbox.kinds}; what such kinds are
 * made of, in {@link io.busbar.sandbox.model}, from what Kubernetes publishes.
 *
 * {@link io.busbar.sandbox.Sandbox#start} is the way in; in a test of JUnit, {@code @KubernetesSandbox}, of another
 * module. What goes wrong on demand is in {@link io.busbar.sandbox.faults}, its time in
 * {@link io.busbar.sandbox.clock}. Everything runs on one Vert.x context, in memory.
 *
 * <p>It does not imitate:
 * <ul>
 *   <li>of controllers: autoscaling (autoscalers are kept, in both versions), failing nodes; what each of them leaves
 *       out is told by its package below {@code kinds}
 *   <li>kinds that discovery does not show, as APIService and CertificateSigningRequest; the Pod Security labels of
 *       namespaces, which refuse nothing
 *   <li>client certificates, OpenID Connect, bootstrap tokens; other authorizers than RBAC, which is off unless an
 *       option asks for it; most of the roles that a real cluster makes for its own parts
 *   <li>protobuf in discovery, and in watches and answers of who takes JSON as well
 *   <li>server-side apply: what kubectl took along from its annotation; owners keep the form in which they came when a
 *       CRD makes a list or map atomic, or no longer so
 *   <li>containers: no logs, exec, attach, port-forward, nor proxies of any kind; nodes are always ready
 *   <li>etcd: nothing outlives {@link io.busbar.sandbox.Sandbox#close()} unless an option names a folder; there, the
 *       last second may be lost when the machine dies, nothing when the process does
 *   <li>CRDs: {@code apiextensions.k8s.io/v1beta1}, so every schema is structural and nothing is kept unpruned by the
 *       definition as a whole; what CEL lacks is told by {@link io.busbar.sandbox.cel}
 *   <li>webhooks and policies: audit annotations, as there is no audit; a Service is reached only by a local port that
 *       an option names
 *   <li>OpenAPI: no descriptions of built-in kinds, few paths
 *   <li>feature gates, but for {@link io.busbar.sandbox.FeatureGate}: all others are as Kubernetes 1.36 has them
 *   <li>of what is valid of built-in kinds, the sources of volumes that few use, Windows, devices, and the
 *       differences of Go's structs that some refusals quote; flow control; metrics
 * </ul>
 */
@NullMarked
package io.busbar.sandbox;

import org.jspecify.annotations.NullMarked;

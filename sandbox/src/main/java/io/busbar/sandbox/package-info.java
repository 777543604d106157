/**
 * A Kubernetes API server inside the JVM, for development and tests: real HTTP and HTTPS, held to kube-apiserver by a suite that
 * runs against both.
 *
 * <pre>
 *   kubectl, any client ──HTTPS──▶ http ──▶ verbs ──▶ storage ──watch──▶ http ──▶ clients
 *                                            │ ▲          └──ChangeFeed──▶ server: namespaces, kubelet, scheduler, garbage collector, controllers
 *                                            ▼ │
 *         core, schema, cel, patch, apply, select (rules)   admission ──AdmissionReview──▶ webhooks
 * </pre>
 *
 * {@link io.busbar.sandbox.Sandbox#start} is the way in; in a test, {@link io.busbar.sandbox.testkit}. What goes wrong on demand is in
 * {@link io.busbar.sandbox.faults}, its time in {@link io.busbar.sandbox.clock}. Everything runs on one Vert.x context, in memory.
 *
 * <p>It does not imitate:
 * <ul>
 *   <li>of controllers: autoscaling (autoscalers are kept, in both versions), failing nodes; what each of them leaves out is told by its
 *       package below {@code controller}
 *   <li>kinds that discovery does not show, as APIService, CertificateSigningRequest and RuntimeClass, which a Pod may name without there
 *       being one; the Pod Security labels of namespaces, which refuse nothing
 *   <li>client certificates, OpenID Connect, bootstrap tokens; other authorizers than RBAC, which is off unless an option asks for it;
 *       most of the roles that a real cluster makes for its own parts
 *   <li>protobuf in discovery, and in watches and answers of who takes JSON as well
 *   <li>server-side apply: what kubectl took along from its annotation; owners keep the form in which they came when a CRD makes a
 *       list or map atomic, or no longer so
 *   <li>containers: no logs, exec, attach, port-forward, nor proxies of any kind; nodes are always ready
 *   <li>etcd: nothing outlives {@link io.busbar.sandbox.Sandbox#close()} unless an option names a folder; there, the last second may be
 *       lost when the machine dies, nothing when the process does
 *   <li>CRDs: {@code apiextensions.k8s.io/v1beta1}, so every schema is structural and nothing is kept unpruned by the definition as a
 *       whole; values that were wrong before and did not change are let pass by CEL rules only; what CEL lacks is told by
 *       {@link io.busbar.sandbox.cel}
 *   <li>webhooks and policies: audit annotations, as there is no audit; a Service is reached only by a local port that an option names
 *   <li>OpenAPI: no descriptions of built-in kinds, few paths
 *   <li>field validation of built-in kinds; flow control; metrics
 * </ul>
 */
@NullMarked
package io.busbar.sandbox;

import org.jspecify.annotations.NullMarked;

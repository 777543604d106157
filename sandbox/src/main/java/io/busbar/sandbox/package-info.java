/**
 * A Kubernetes API server inside the JVM, for development and tests: real HTTP and HTTPS, held to kube-apiserver by a suite that
 * runs against both.
 *
 * <pre>
 *   kubectl, any client ──HTTPS──▶ http ──▶ verbs ──▶ storage ──watch──▶ http ──▶ clients
 *                                            │ ▲          └──ChangeFeed──▶ server: namespaces, kubelet, scheduler, garbage collector, controllers
 *                                            ▼ │
 *         core, schema, patch, apply, select (rules)   admission ──AdmissionReview──▶ webhooks
 * </pre>
 *
 * {@link io.busbar.sandbox.Sandbox#start} is the way in. Everything runs on one Vert.x context, in memory.
 *
 * <p>It does not imitate:
 * <ul>
 *   <li>of controllers: the Events that they record, autoscaling, quotas, failing nodes; what each of them leaves out is told by its
 *       package below {@code controller}
 *   <li>client certificates, OpenID Connect, bootstrap tokens; other authorizers than RBAC, which is off unless an option asks for it;
 *       most of the roles that a real cluster makes for its own parts
 *   <li>protobuf in answers, which are JSON or YAML
 *   <li>containers: no logs, exec, attach, port-forward, nor proxies of any kind; nodes are always ready
 *   <li>etcd: nothing outlives {@link io.busbar.sandbox.Sandbox#close()} unless an option names a folder; there, the last second may be
 *       lost when the machine dies, nothing when the process does
 *   <li>CRDs: conversion webhooks, CEL rules, a check that schemas are structural, conflicts of names, selectable fields
 *   <li>webhooks: match conditions, admission policies, audit annotations; a Service is reached only by a local port that an option names
 *   <li>OpenAPI: no descriptions of built-in kinds, few paths; fields that occur twice in a body are not told of
 *   <li>field validation of built-in kinds; flow control; metrics
 * </ul>
 */
@NullMarked
package io.busbar.sandbox;

import org.jspecify.annotations.NullMarked;

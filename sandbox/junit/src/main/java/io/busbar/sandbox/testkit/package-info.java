/**
 * Tests of JUnit against a sandbox: {@link io.busbar.sandbox.testkit.KubernetesSandbox} on a class, and what it needs
 * as parameters.
 *
 * <pre>
 *   {@literal @}KubernetesSandbox ──▶ SandboxExtension ──a sandbox for each class, or a cluster──▶ TestServer ──▶ parameters
 *                                         │── crds, manifests ──Manifest──▶ ClusterObjects
 *                                         └── a test fails ──Sandbox.report──▶ JUnit's report
 * </pre>
 *
 * JUnit (5.13 or later, or 6) and, for a client, fabric8's are the user's own: this module brings neither.
 */
@NullMarked
package io.busbar.sandbox.testkit;

import org.jspecify.annotations.NullMarked;

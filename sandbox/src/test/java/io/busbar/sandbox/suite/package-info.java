/**
 * How a Kubernetes API server behaves, over plain HTTP: the same cases hold for the sandbox and for a real one.
 *
 * <p>They run against a sandbox of their own; with {@code -Pcluster} against the cluster of {@code KUBECONFIG}. That
 * one's Pods must come up without containers that work, and heed the same annotations as the sandbox's. Each case works
 * in a namespace of its own, and {@link io.busbar.sandbox.suite.Sweeping} deletes what it leaves.
 */
@NullMarked
package io.busbar.sandbox.suite;

import org.jspecify.annotations.NullMarked;

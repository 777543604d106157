/**
 * How a Kubernetes API server behaves, over plain HTTP: the same cases hold for the sandbox and for a real one.
 *
 * <p>They run against a sandbox of their own; with {@code -Dcluster.url=https://... -Dcluster.token=... -Dcluster.ca=FILE} against
 * that server. Each case works in a namespace of its own.
 */
@NullMarked
package io.busbar.sandbox.suite;

import org.jspecify.annotations.NullMarked;

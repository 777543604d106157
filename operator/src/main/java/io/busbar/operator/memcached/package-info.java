/**
 * Memcached: a Deployment of memcached servers, kept as its Memcached asks for, with a finalizer.
 *
 * <pre>
 *   Memcached ─▶ MemcachedReconciler ─▶ deployment.yaml, filled in ─▶ applied ─▶ how far that is ─▶ conditions
 * </pre>
 *
 * {@link io.busbar.operator.memcached.MemcachedBundle} puts all of it together.
 */
@NullMarked
package io.busbar.operator.memcached;

import org.jspecify.annotations.NullMarked;

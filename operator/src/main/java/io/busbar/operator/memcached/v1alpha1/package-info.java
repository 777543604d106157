/**
 * The types of {@code cache.example.com/v1alpha1}, as they are written in YAML: {@link
 * io.busbar.operator.memcached.v1alpha1.Memcached}, what it asks for, and what has come of it.
 */
@NullMarked
package io.busbar.operator.memcached.v1alpha1;

import org.jspecify.annotations.NullMarked;

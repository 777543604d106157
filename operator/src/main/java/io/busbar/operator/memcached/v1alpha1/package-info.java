/** The types of {@code cache.example.com/v1alpha1}, as they are written in YAML. */
@NullMarked
package io.busbar.operator.memcached.v1alpha1;

import org.jspecify.annotations.NullMarked;

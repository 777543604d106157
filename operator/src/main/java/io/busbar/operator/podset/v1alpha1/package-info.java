/**
 * The types of {@code apps.jicki.cn/v1alpha1}, as they are written in YAML.
 *
 * <pre>
 *   PodSet ─┬─ spec     size: how many Pods
 *           └─ status   nodes: their names; counts, conditions
 * </pre>
 */
@NullMarked
package io.busbar.operator.podset.v1alpha1;

import org.jspecify.annotations.NullMarked;

/**
 * Helm charts as kinds, in a jar of its own. The way of data:
 *
 * <pre>
 * watches.yaml -> watches -> render (Helm's engine) -> run (a controller for each kind)
 *                            instance: the model of all these kinds
 * </pre>
 */
@NullMarked
package io.busbar.charts;

import org.jspecify.annotations.NullMarked;

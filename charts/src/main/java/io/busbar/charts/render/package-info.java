/**
 * From a chart and values to objects. {@link io.busbar.charts.render.ChartFolder} is a copy of the chart that is fit to
 * be rendered without a cluster, {@link io.busbar.charts.render.ChartRenderer} has Helm render it where something has
 * changed.
 */
@NullMarked
package io.busbar.charts.render;

import org.jspecify.annotations.NullMarked;

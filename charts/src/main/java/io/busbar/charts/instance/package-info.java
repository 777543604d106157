/** The model of the kinds that are made of charts: any values as the spec, one status for all. */
@NullMarked
package io.busbar.charts.instance;

import org.jspecify.annotations.NullMarked;

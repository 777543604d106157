/**
 * A controller for each kind that is made of a chart:
 *
 * <pre>
 * instance -> rendering -> hooks before -> objects -> what is rendered no more goes -> hooks after -> status
 * </pre>
 */
@NullMarked
package io.busbar.charts.run;

import org.jspecify.annotations.NullMarked;

/** An operator that hears of changes outside the cluster in four ways. The documentation shows it. */
@NullMarked
package io.busbar.testkit.builds;

import org.jspecify.annotations.NullMarked;

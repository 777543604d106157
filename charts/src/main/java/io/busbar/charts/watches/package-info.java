/** Which charts are which kinds: the file {@code watches.yaml}, in the format of operator-sdk's Helm operator. */
@NullMarked
package io.busbar.charts.watches;

import org.jspecify.annotations.NullMarked;

/** Lists of {@code metav1.Condition}, as statuses hold them. */
@NullMarked
package io.busbar.common.condition;

import org.jspecify.annotations.NullMarked;

/** HorizontalPodAutoscalers, in both versions: nothing scales by them here. */
@NullMarked
package io.busbar.sandbox.kinds.autoscaler;

import org.jspecify.annotations.NullMarked;

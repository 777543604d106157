/** Which operators are in the jar: {@link io.busbar.operator.bundled.Bundled} is the one list. */
@NullMarked
package io.busbar.operator.bundled;

import org.jspecify.annotations.NullMarked;

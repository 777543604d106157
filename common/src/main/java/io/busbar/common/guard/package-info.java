/** What keeps loops, workers and streams going whatever is thrown in them. */
@NullMarked
package io.busbar.common.guard;

import org.jspecify.annotations.NullMarked;

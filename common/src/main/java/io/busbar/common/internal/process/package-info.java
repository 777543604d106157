/** What a process does from its start to its end. */
@NullMarked
package io.busbar.common.internal.process;

import org.jspecify.annotations.NullMarked;

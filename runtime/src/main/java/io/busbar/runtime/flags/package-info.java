/**
 * Flags of the commands, and the environment variables that stand for them; each class makes options of what it has
 * read.
 */
@NullMarked
package io.busbar.runtime.flags;

import org.jspecify.annotations.NullMarked;

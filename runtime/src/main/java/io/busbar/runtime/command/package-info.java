/** Commands, their flags and the environment variables of the same names; all problems of both are reported at once. */
@NullMarked
package io.busbar.runtime.command;

import org.jspecify.annotations.NullMarked;

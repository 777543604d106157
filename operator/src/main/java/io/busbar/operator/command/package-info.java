/** Commands, their flags and the environment variables of the same names; all problems of both are reported at once. */
@NullMarked
package io.busbar.operator.command;

import org.jspecify.annotations.NullMarked;

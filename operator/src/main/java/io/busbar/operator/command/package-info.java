/** The commands that only this operator has. */
@NullMarked
package io.busbar.operator.command;

import org.jspecify.annotations.NullMarked;

/**
 * The sandbox as a program: {@link io.busbar.sandbox.command.Main} of its own jar, and the command {@code sandbox} of
 * an operator's.
 *
 * <p>It needs picocli and Logback on the class path, which the rest does not.
 */
@NullMarked
package io.busbar.sandbox.command;

import org.jspecify.annotations.NullMarked;

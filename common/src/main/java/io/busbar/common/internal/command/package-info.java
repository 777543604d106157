/**
 * What commands have in common, those of operators and that of the sandbox: flags, and how lines are logged.
 *
 * <p>It needs picocli and Logback on the class path, which the rest does not.
 */
@NullMarked
package io.busbar.common.internal.command;

import org.jspecify.annotations.NullMarked;

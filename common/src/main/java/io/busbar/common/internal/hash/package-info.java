/** Numbers that stand for texts, the same on every machine. */
@NullMarked
package io.busbar.common.internal.hash;

import org.jspecify.annotations.NullMarked;

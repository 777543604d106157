/** On which of Vert.x's contexts something goes on. */
@NullMarked
package io.busbar.common.internal.context;

import org.jspecify.annotations.NullMarked;

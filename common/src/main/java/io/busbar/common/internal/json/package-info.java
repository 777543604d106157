/** JSON that is looked through and not built. */
@NullMarked
package io.busbar.common.internal.json;

import org.jspecify.annotations.NullMarked;

/** What can be chosen about a running operator. Values, each immutable. */
@NullMarked
package io.busbar.runtime.options;

import org.jspecify.annotations.NullMarked;

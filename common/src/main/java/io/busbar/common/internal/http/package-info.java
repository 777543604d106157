/** What all HTTP servers of ours need. */
@NullMarked
package io.busbar.common.internal.http;

import org.jspecify.annotations.NullMarked;

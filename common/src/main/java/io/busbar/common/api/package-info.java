/** Failures of the API server, sorted by what can be done about them. */
@NullMarked
package io.busbar.common.api;

import org.jspecify.annotations.NullMarked;

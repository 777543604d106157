/** Where metrics and traces are made, and where traces go. */
@NullMarked
package io.busbar.runtime.telemetry;

import org.jspecify.annotations.NullMarked;

/** A graph of dependents, run by the engine against an API server. */
@NullMarked
package io.busbar.testkit.dependents;

import org.jspecify.annotations.NullMarked;

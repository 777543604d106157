/**
 * Events, in both groups: one store, two faces, and an hour to live.
 */
@NullMarked
package io.busbar.sandbox.kinds.event;

import org.jspecify.annotations.NullMarked;

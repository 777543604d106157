/** Leases. */
@NullMarked
package io.busbar.sandbox.kinds.lease;

import org.jspecify.annotations.NullMarked;

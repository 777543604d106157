/** Keys and certificates of the sandbox: its own CA, and what that signs. */
@NullMarked
package io.busbar.sandbox.tls;

import org.jspecify.annotations.NullMarked;

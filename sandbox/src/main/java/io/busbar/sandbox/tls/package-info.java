/** The certificates that the sandbox serves with. */
@NullMarked
package io.busbar.sandbox.tls;

import org.jspecify.annotations.NullMarked;

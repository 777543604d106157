/**
 * Pods, and the templates of Pods in other kinds: defaults, what is valid, what an update may change, and the account
 * each runs as.
 */
@NullMarked
package io.busbar.sandbox.kinds.pod;

import org.jspecify.annotations.NullMarked;

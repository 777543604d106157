/** The samples of a bundle on a cluster: whether it takes them, and what comes of them. */
@NullMarked
package io.busbar.runtime.scorecard;

import org.jspecify.annotations.NullMarked;

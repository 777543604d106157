/** Objects in files, and how they come into a cluster and out of it. */
@NullMarked
package io.busbar.maven.cluster;

import org.jspecify.annotations.NullMarked;

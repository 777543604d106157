/**
 * What is checked in beside the generator, held against the tools that read it.
 *
 * <p>Tools that a machine lacks are left out there, and say so as skipped tests: kubectl (1.27 or later), promtool.
 * Helm comes as a library.
 */
@NullMarked
package io.busbar.manifests.installed;

import org.jspecify.annotations.NullMarked;

/** Arithmetic on resources, as in {@code max(cpu*50%, 50m)}. */
@NullMarked
package io.busbar.operator.sidecarset.resources;

import org.jspecify.annotations.NullMarked;

/**
 * Builds the container image, with {@code -Pimage}: no base image is pulled, and no Docker asked.
 *
 * <pre>
 *   busbar.jar ──▶ JavaRuntime (jlink: the modules that it needs) ──▶ NativeLibraries (what that runtime links to)
 *       └────────▶ ClassArchive (a Rehearsal tells which classes) ──▶ ImageBuild (layers) ──▶ busbar-image.tar
 * </pre>
 */
@NullMarked
package io.busbar.operator.image;

import org.jspecify.annotations.NullMarked;

/**
 * Builds the container image of an operator: no base image is pulled, and no Docker asked.
 *
 * <pre>
 *   program.jar ──▶ JavaRuntime (jlink: the modules that it needs) ──▶ NativeLibraries (what that runtime links to)
 *       └─────────▶ ClassArchive (a Rehearsal tells which classes) ──▶ OperatorImage (layers) ──▶ image.tar
 * </pre>
 */
@NullMarked
package io.busbar.maven.image;

import org.jspecify.annotations.NullMarked;

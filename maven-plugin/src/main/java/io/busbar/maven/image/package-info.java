/**
 * Builds the container image of a program: no base image is pulled, and no Docker asked.
 *
 * <pre>
 *   program.jar ──▶ JavaRuntime (jlink: the modules that it needs) ──▶ NativeLibraries (what that runtime links to)
 *       └─────────▶ ClassArchive (the Program's rehearsal tells which classes) ──▶ ProgramImage (layers) ──▶ image.tar
 * </pre>
 */
@NullMarked
package io.busbar.maven.image;

import org.jspecify.annotations.NullMarked;

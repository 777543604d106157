/**
 * Builds the container image of a program: no base image is pulled, and no Docker asked.
 *
 * <pre>
 *   program.jar ──▶ JavaRuntime (jlink: the modules that it needs) ──▶ NativeLibraries (what that runtime links to)
 *       └─────────▶ ClassArchive (the Program's rehearsal tells which classes) ──▶ PlatformImage (layers) ──▶ image.tar
 *   LinuxSystem (this machine; others in folders, without a ClassArchive) ──▶ a PlatformImage each ──▶ ImageIndex
 *   Provenance: what the files that were made have been made of, a Jdk of each LinuxSystem among it
 * </pre>
 */
@NullMarked
package io.busbar.maven.image;

import org.jspecify.annotations.NullMarked;

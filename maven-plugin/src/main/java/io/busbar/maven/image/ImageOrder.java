package io.busbar.maven.image;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * What an image is to be.
 *
 * <p>Immutable.
 *
 * @param name as people pull it, such as {@code registry.example.com/shop:1.0}
 * @param program what the jar is
 * @param flags of the program, for the run that tells which classes it needs
 * @param classes the list of an image that is to be built again
 * @param materials a file that tells what the jar is made of, to be kept in the image
 * @param roots folders, each with what a Linux of another architecture has in its root folder: its JDK and the system
 *     libraries that this needs
 */
public record ImageOrder(
        String name,
        Program program,
        List<String> flags,
        Optional<Path> classes,
        Optional<Path> materials,
        List<Path> roots) {}

package io.busbar.charts.render;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The file that Helm's library is unpacked to when it is loaded, of some 98 MB. Where the system lets a file go that is
 * in use, which is on Linux, it is deleted then, so that none is left behind, and no volume filled. Any thread.
 */
final class LibraryFile {

    private static final Logger log = LoggerFactory.getLogger(LibraryFile.class);
    private static final Path MAPPED = Path.of("/proc/self/maps");

    private LibraryFile() {}

    /** Once the library is loaded. */
    static void delete() {
        if (!Files.isReadable(MAPPED)) {
            return;
        }
        try {
            for (Path file : mapped()) {
                Files.deleteIfExists(file);
                Path folder = file.getParent();
                if (folder != null) {
                    Files.deleteIfExists(folder);
                }
            }
        } catch (IOException left) {
            log.atDebug().addKeyValue("reason", left.getMessage()).log("the file of Helm's library is left");
        }
    }

    private static Set<Path> mapped() throws IOException {
        try (Stream<String> lines = Files.lines(MAPPED)) {
            return lines.filter(line -> line.matches(".* /.*/helm-java[^/]*/helm-[^/]*\\.so"))
                    .map(line -> Path.of(line.substring(line.indexOf('/'))))
                    .collect(Collectors.toSet());
        }
    }
}

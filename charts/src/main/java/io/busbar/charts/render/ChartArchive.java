package io.busbar.charts.render;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;

/**
 * Unpacks a chart, as {@code helm package} or {@code tar} makes it: files in a tar archive that is compressed by gzip.
 * Links and the like are left out. Any thread; blocks.
 */
final class ChartArchive {

    private static final int BLOCK = 512;
    private static final int LARGEST_FILE = 64 * 1024 * 1024;
    private static final char POSIX_ATTRIBUTES = 'x';
    private static final char GNU_LONG_NAME = 'L';
    private static final Pattern LONG_NAME = Pattern.compile("(?m)^\\d+ path=(.*)$");

    private ChartArchive() {}

    /**
     * Writes its files under a folder.
     *
     * @throws IOException when it is no such archive, or has a file that would lie elsewhere
     */
    static void unpack(Path archive, Path folder) throws IOException {
        try (InputStream in = new GZIPInputStream(new BufferedInputStream(Files.newInputStream(archive)))) {
            String longName = "";
            for (Optional<byte[]> header = header(in); header.isPresent(); header = header(in)) {
                byte[] head = header.get();
                int size = size(archive, text(head, 124, 12));
                byte[] content = in.readNBytes(size);
                in.skipNBytes((BLOCK - size % BLOCK) % BLOCK);
                if (content.length < size) {
                    throw new EOFException(archive + " ends within a file");
                }
                char kind = (char) head[156];
                if (kind == POSIX_ATTRIBUTES) {
                    Matcher name = LONG_NAME.matcher(new String(content, UTF_8));
                    longName = name.find() ? name.group(1) : "";
                    continue;
                }
                if (kind == GNU_LONG_NAME) {
                    longName = text(content, 0, size);
                    continue;
                }
                if (kind == '0' || kind == 0) {
                    // GNU tar has times there.
                    String prefix = text(head, 257, 6).equals("ustar") ? text(head, 345, 155) : "";
                    String name = (prefix.isEmpty() ? "" : prefix + "/") + text(head, 0, 100);
                    write(archive, folder, longName.isEmpty() ? name : longName, content);
                }
                longName = "";
            }
        }
    }

    private static void write(Path archive, Path folder, String name, byte[] content) throws IOException {
        Path file = folder.resolve(name).normalize();
        if (!file.startsWith(folder) || file.equals(folder)) {
            throw new IOException(archive + " has a file that would lie outside: " + name);
        }
        Files.createDirectories(file.getParent());
        Files.write(file, content);
    }

    /** Empty at the end, which is a block of zeros. */
    private static Optional<byte[]> header(InputStream in) throws IOException {
        byte[] block = in.readNBytes(BLOCK);
        return block.length < BLOCK || block[0] == 0 ? Optional.empty() : Optional.of(block);
    }

    private static int size(Path archive, String octal) throws IOException {
        try {
            long size = octal.isBlank() ? 0 : Long.parseLong(octal.strip(), 8);
            if (size > LARGEST_FILE) {
                throw new IOException(archive + " has a file of " + size + " bytes; allowed: " + LARGEST_FILE);
            }
            return (int) size;
        } catch (NumberFormatException none) {
            throw new IOException(archive + " is no tar archive", none);
        }
    }

    private static String text(byte[] block, int from, int length) {
        int end = from;
        while (end < from + length && block[end] != 0) {
            end++;
        }
        return new String(block, from, end - from, UTF_8);
    }
}

package io.busbar.maven.image;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What a binary of Linux says of itself: which machine runs it, and what the dynamic linker has to find first. Told by
 * the file, so that those of another architecture can be asked as well. Immutable.
 *
 * @param architecture in the words of image registries: {@code amd64}, {@code arm64}
 * @param interpreter the dynamic linker; a library has none
 * @param needed names of libraries, without folders
 */
record ElfFile(String architecture, Optional<String> interpreter, List<String> needed) {

    private static final int MAGIC = 0x464c457f; // 0x7f, ELF
    private static final byte BITS_64 = 2;
    private static final byte LITTLE_ENDIAN = 1;

    /** Types of segments. */
    private static final int LOAD = 1;

    private static final int DYNAMIC = 2;
    private static final int INTERPRETER = 3;

    /** Tags of dynamic entries. */
    private static final int NEEDED = 1;

    private static final int STRINGS = 5;

    /** A part of the file, and where it lies in memory. */
    private record Segment(int type, int offset, long address, int size) {

        boolean has(long place) {
            return type == LOAD && place >= address && place < address + size;
        }
    }

    /** @throws IllegalStateException if it is none, or one of a machine for which no images are made */
    static ElfFile read(Path file) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
        if (bytes.limit() < 64
                || bytes.getInt(0) != MAGIC
                || bytes.get(4) != BITS_64
                || bytes.get(5) != LITTLE_ENDIAN) {
            throw new IllegalStateException(file + " is no binary of a Linux of 64 bits");
        }
        List<Segment> segments = segments(bytes);
        return new ElfFile(
                architecture(file, bytes.getShort(18)),
                segments.stream()
                        .filter(segment -> segment.type() == INTERPRETER)
                        .map(segment -> text(bytes, segment.offset()))
                        .findFirst(),
                needed(bytes, segments));
    }

    private static String architecture(Path file, int machine) {
        return switch (machine) {
            case 62 -> "amd64";
            case 183 -> "arm64";
            default ->
                throw new IllegalStateException(file + " is for machine " + machine + "; allowed: x86-64, aarch64");
        };
    }

    private static List<Segment> segments(ByteBuffer bytes) {
        int first = (int) bytes.getLong(32);
        int size = bytes.getShort(54);
        List<Segment> segments = new ArrayList<>();
        for (int i = 0; i < bytes.getShort(56); i++) {
            int header = first + i * size;
            segments.add(
                    new Segment(bytes.getInt(header), (int) bytes.getLong(header + 8), bytes.getLong(header + 16), (int)
                            bytes.getLong(header + 32)));
        }
        return segments;
    }

    private static List<String> needed(ByteBuffer bytes, List<Segment> segments) {
        List<Long> names = new ArrayList<>();
        long strings = 0;
        for (Segment dynamic : segments) {
            for (int at = dynamic.offset();
                    dynamic.type() == DYNAMIC && at < dynamic.offset() + dynamic.size();
                    at += 16) {
                if (bytes.getLong(at) == NEEDED) {
                    names.add(bytes.getLong(at + 8));
                } else if (bytes.getLong(at) == STRINGS) {
                    strings = bytes.getLong(at + 8);
                }
            }
        }
        List<String> needed = new ArrayList<>();
        for (long name : names) {
            long place = strings + name;
            segments.stream()
                    .filter(segment -> segment.has(place))
                    .map(segment -> text(bytes, (int) (segment.offset() + place - segment.address())))
                    .forEach(needed::add);
        }
        return needed;
    }

    /** Up to a zero. */
    private static String text(ByteBuffer bytes, int start) {
        int end = start;
        while (bytes.get(end) != 0) {
            end++;
        }
        byte[] text = new byte[end - start];
        bytes.get(start, text);
        return new String(text, StandardCharsets.UTF_8);
    }
}

package io.busbar.sandbox.select;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.common.internal.hash.Fnv1a;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Tells by the hash of its uid, or of its namespace, whether an object is meant (KEP-5866).
 *
 * <p>Immutable. An object is selected alike as long as it is there, in each version of its kind.
 */
public final class ShardSelector {

    /** Hashes are unsigned. */
    private record Hashes(long first, long last) {

        static Hashes of(ShardRange range) {
            // The end may be 2^64, which a long takes for 0: what comes before it is right.
            return new Hashes(hash(range.start()), hash(range.end()) - 1);
        }

        private static long hash(String hex) {
            return Long.parseUnsignedLong(hex, hex.length() - ShardRange.DIGITS, hex.length(), 16);
        }

        boolean contain(long hash) {
            return Long.compareUnsigned(first, hash) <= 0 && Long.compareUnsigned(hash, last) <= 0;
        }
    }

    private final String text;
    private final String field;
    private final List<Hashes> ranges;

    private ShardSelector(List<ShardRange> ranges) {
        this.text = ranges.stream().map(ShardRange::toString).collect(Collectors.joining(" || "));
        this.field = ranges.get(0).ofMetadata();
        this.ranges = ranges.stream().map(Hashes::of).toList();
    }

    /**
     * Reads {@code shardRange(object.metadata.uid, '0x0000000000000000', '0x8000000000000000')}, joined by {@code ||}.
     *
     * @throws SelectorException with the API server's words
     */
    public static ShardSelector parse(String text) {
        return new ShardSelector(ShardParser.parse(text));
    }

    /** In the one form that all texts of the same ranges in the same order have. */
    public String text() {
        return text;
    }

    /** Whether the object is meant. */
    public boolean matches(ObjectNode object) {
        long hash = Fnv1a.hash(object.path("metadata").path(field).asText(""));
        for (Hashes range : ranges) {
            if (range.contain(hash)) {
                return true;
            }
        }
        return false;
    }
}

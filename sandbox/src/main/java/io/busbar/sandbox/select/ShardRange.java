package io.busbar.sandbox.select;

/**
 * One range of a shard selector, as it is written. Immutable.
 *
 * @param field such as {@code object.metadata.uid}
 * @param start the first hash, such as {@code 0x8000000000000000}
 * @param end the first that is beyond, at most {@code 0x10000000000000000}
 */
record ShardRange(String field, String start, String end) {

    /** Of a hash in hexadecimal. */
    static final int DIGITS = 16;

    static final String UID = "object.metadata.uid";
    static final String NAMESPACE = "object.metadata.namespace";

    ShardRange {
        if (start.length() > end.length() || (start.length() == end.length() && start.compareTo(end) >= 0)) {
            throw new SelectorException("shard range start " + start + " must be less than end " + end);
        }
    }

    /** The name of the field of an object's metadata. */
    String ofMetadata() {
        return field.substring("object.metadata.".length());
    }

    @Override
    public String toString() {
        return "shardRange(" + field + ", '" + start + "', '" + end + "')";
    }
}

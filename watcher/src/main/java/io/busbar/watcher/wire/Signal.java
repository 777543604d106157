package io.busbar.watcher.wire;

/** What a response of a list or of a watch says, piece by piece. Immutable. */
public sealed interface Signal {

    /** An item of a list. */
    record Listed(RawObject object) implements Signal {}

    /** A list has been read to its end. {@code continuation} is empty on its last page. */
    record ListEnd(String resourceVersion, String continuation) implements Signal {}

    /** An object was added or modified, or is one of a streaming list. */
    record Changed(RawObject object) implements Signal {}

    /** An object was deleted; this is how it last was. */
    record Deleted(RawObject object) implements Signal {}

    /** All up to this resourceVersion has been told. */
    record Bookmark(String resourceVersion, boolean endsInitialEvents) implements Signal {}

    /** The server ends the watch with an error of its own. */
    record Failed(int code, String message) implements Signal {}
}

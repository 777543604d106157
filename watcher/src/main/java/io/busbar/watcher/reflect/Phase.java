package io.busbar.watcher.reflect;

/** What a stream's request is for. */
enum Phase {
    PAGING,
    STREAMING_LIST,
    WATCHING
}

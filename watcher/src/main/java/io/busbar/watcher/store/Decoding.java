package io.busbar.watcher.store;

/** How much of each object is decoded as it arrives, for triggers and indexes. In ascending order. */
public enum Decoding {
    NOTHING,
    METADATA,
    WHOLE
}

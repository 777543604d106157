package io.busbar.operator.mysqlcluster.bed;

import java.nio.file.Path;
import java.util.Locale;

/**
 * A line of the table that {@code enter.sh} makes a file system from. Immutable.
 *
 * @param source on the machine
 * @param target in the container; for a disk, where the machine's path to its content is
 */
record Mount(Kind kind, Path source, String target, boolean readOnly) {

    enum Kind {
        /** An image of a file system, mounted before what is below it is bound. */
        DISK,
        /** A folder, in the place of one that may be there: the container's own. */
        COPY,
        /** A file or a folder, shared. */
        BIND,
        /** Files of this machine, by a pattern, that are not there in the container. */
        HIDE
    }

    static Mount disk(Path image, Path folder) {
        return new Mount(Kind.DISK, image, folder.toString(), false);
    }

    static Mount copy(Path source, String target) {
        return new Mount(Kind.COPY, source, target, false);
    }

    static Mount bind(Path source, String target, boolean readOnly) {
        return new Mount(Kind.BIND, source, target, readOnly);
    }

    /** @param pattern of paths, with {@code *} for anything within a name */
    static Mount hide(String pattern) {
        return new Mount(Kind.HIDE, Path.of("-"), pattern, false);
    }

    String line() {
        return String.join(
                "\t", kind.name().toLowerCase(Locale.ROOT), source.toString(), target, readOnly ? "ro" : "rw");
    }
}

package io.busbar.manifests;

import java.util.Locale;

/**
 * A file of a directory that is not as the generator writes it.
 *
 * <p>Immutable.
 *
 * @param file its path below the tree's root
 * @param detail for people
 */
public record Difference(String file, Kind kind, String detail) {

    public enum Kind {
        /** To be written. */
        MISSING,
        /** To be written anew. */
        CHANGED,
        /** To be deleted, by hand: the generator does not delete. */
        UNEXPECTED
    }

    /** {@code rbac/role.yaml: changed, line 7 is …}. */
    @Override
    public String toString() {
        return file + ": " + kind.name().toLowerCase(Locale.ROOT) + (detail.isEmpty() ? "" : ", " + detail);
    }
}

package io.busbar.scaffold.files;

/**
 * A file as the scaffold makes it.
 *
 * <p>Immutable.
 *
 * @param path below the project's folder, with {@code /} between its parts
 * @param text ends with a newline
 */
public record ScaffoldFile(String path, String text, Owner owner) {

    /** Who decides what a file says once it is there. */
    public enum Owner {
        /** People: no command changes what they have written, but for {@code update}, which merges. */
        PEOPLE,
        /** The scaffold, which makes it anew from PROJECT. */
        SCAFFOLD
    }

    public ScaffoldFile {
        if (!text.endsWith("\n")) {
            throw new IllegalArgumentException(path + " does not end with a newline");
        }
    }
}

package io.busbar.blueprint.source;

import java.util.regex.Pattern;

/**
 * Where something stands in a document.
 *
 * <p>Immutable.
 *
 * @param path of fields, such as {@code spec.resources[2].id}; empty for the whole document
 * @param line from one; 0 in what is no text, such as an object of the API server
 * @param column from one; in what is no text the character of the field's value, or 0 for all of it
 */
public record Place(String path, int line, int column) {

    private static final Pattern WORD = Pattern.compile("[A-Za-z_][A-Za-z0-9_-]*");

    public static Place ofPath(String path) {
        return new Place(path, 0, 0);
    }

    /** Of a text, rather than of JSON. */
    boolean hasLine() {
        return line > 0;
    }

    /** The path of a field of this. */
    String field(String name) {
        if (!WORD.matcher(name).matches()) {
            return path + "[\"" + name.replace("\"", "\\\"") + "\"]";
        }
        return path.isEmpty() ? name : path + "." + name;
    }
}

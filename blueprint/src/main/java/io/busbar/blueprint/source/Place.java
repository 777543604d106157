package io.busbar.blueprint.source;

import java.util.regex.Pattern;

/**
 * Where something stands in a document.
 *
 * <p>Immutable.
 *
 * @param path of fields, such as {@code spec.resources[2].id}; empty for the whole document
 * @param line from one
 * @param column from one
 */
public record Place(String path, int line, int column) {

    private static final Pattern WORD = Pattern.compile("[A-Za-z_][A-Za-z0-9_-]*");

    /** The path of a field of this. */
    String field(String name) {
        if (!WORD.matcher(name).matches()) {
            return path + "[\"" + name.replace("\"", "\\\"") + "\"]";
        }
        return path.isEmpty() ? name : path + "." + name;
    }
}

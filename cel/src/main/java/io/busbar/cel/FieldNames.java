package io.busbar.cel;

import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * How properties are called in expressions: words that CEL keeps for itself and signs that it does not take are written
 * out.
 *
 * <p>Immutable. From apiserver's {@code cel/escaping.go}.
 */
public final class FieldNames {

    /** The words of CEL. */
    public static final Set<String> RESERVED =
            Set.of(("true false null in as break const continue else for function if import let loop"
                            + " package namespace return var void while")
                    .split(" "));

    private static final Pattern WRITABLE = Pattern.compile("[A-Za-z_./-][A-Za-z0-9_./-]*");

    private FieldNames() {}

    /** Empty for a property that no expression can reach. */
    public static Optional<String> of(String property) {
        if (RESERVED.contains(property)) {
            return Optional.of("__" + property + "__");
        }
        return WRITABLE.matcher(property).matches()
                ? Optional.of(property.replace("__", "__underscores__")
                        .replace(".", "__dot__")
                        .replace("-", "__dash__")
                        .replace("/", "__slash__"))
                : Optional.empty();
    }

    /** The property that is called so. */
    public static String property(String name) {
        String inner = name.startsWith("__") && name.endsWith("__") && name.length() > 4
                ? name.substring(2, name.length() - 2)
                : "";
        return RESERVED.contains(inner)
                ? inner
                : name.replace("__slash__", "/")
                        .replace("__dash__", "-")
                        .replace("__dot__", ".")
                        .replace("__underscores__", "__");
    }
}

package io.busbar.blueprint.check;

import io.busbar.blueprint.source.Place;
import io.busbar.cel.Expression;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * An expression of a Blueprint that has been checked.
 *
 * <p>Any thread.
 *
 * @param text as it is written, without {@code ${}}
 * @param selected the variable, and the fields below it, where it selects one and does nothing else; empty otherwise
 */
public record Formula(String text, Place place, Expression expression, List<String> selected) {

    private static final Pattern SELECTION = Pattern.compile("[A-Za-z_]\\w*(\\.[A-Za-z_]\\w*)*");
    /** Within the name of a field that CEL could not read otherwise. */
    private static final String ESCAPE = "__";

    Formula(String text, Place place, Expression expression) {
        this(text, place, expression, selected(text.strip()));
    }

    /** Of the variables that it reads. */
    public Set<String> names() {
        return expression.paths().stream().map(Formula::root).collect(Collectors.toUnmodifiableSet());
    }

    /** The variable that a path begins with. */
    public static String root(String path) {
        int dot = path.indexOf('.');
        return dot < 0 ? path : path.substring(0, dot);
    }

    private static List<String> selected(String text) {
        return SELECTION.matcher(text).matches() && !text.contains(ESCAPE) ? List.of(text.split("\\.", -1)) : List.of();
    }
}

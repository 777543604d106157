package io.busbar.operator.mysqlcluster.bed;

import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Puts variables in the place of {@code $(NAME)}, as Kubernetes does in values, commands and paths: {@code $$} is a
 * dollar sign, and a name that is not known stays as it stands.
 *
 * <p>Immutable.
 */
record Expansion(Map<String, String> variables) {

    private static final Pattern REFERENCE = Pattern.compile("\\$(?:(\\$)|\\(([^)]*)\\))");

    String expand(String text) {
        return REFERENCE
                .matcher(text)
                .replaceAll(found -> Matcher.quoteReplacement(
                        found.group(1) != null ? "$" : variables.getOrDefault(found.group(2), found.group())));
    }
}

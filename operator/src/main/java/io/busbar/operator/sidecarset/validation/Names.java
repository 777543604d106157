package io.busbar.operator.sidecarset.validation;

import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * Rules for names: each says what is wrong with a text, or nothing.
 *
 * <p>Pure functions, any thread. Source: apimachinery's {@code validation}.
 */
final class Names {

    private static final String MAX_63 = "must be no more than 63 characters";
    private static final Pattern LABEL = Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?");
    private static final Pattern SUBDOMAIN =
            Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");
    private static final Pattern QUALIFIED = Pattern.compile("([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]");
    private static final Pattern LABEL_VALUE = Pattern.compile("(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?");
    private static final Pattern ENV = Pattern.compile("[-._a-zA-Z][-._a-zA-Z0-9]*");
    private static final Pattern SIDECARSET = Pattern.compile("[a-zA-Z0-9\\-]+");
    private static final Pattern PORT = Pattern.compile("[-a-z0-9]*[a-z][-a-z0-9]*");
    private static final Pattern CONFIG_KEY = Pattern.compile("[-._a-zA-Z0-9]+");
    private static final Pattern HEADER = Pattern.compile("[-A-Za-z0-9]+");

    private Names() {}

    static Optional<String> sidecarSet(String name) {
        return name.length() > 63
                ? Optional.of(MAX_63)
                : matches(
                        SIDECARSET,
                        name,
                        "sidecarset name must consist of alphanumeric characters or '-' (e.g. 'example-com', regex used for"
                                + " validation is '^[a-zA-Z0-9\\-]+$')");
    }

    static Optional<String> dnsLabel(String name) {
        return name.length() > 63
                ? Optional.of(MAX_63)
                : matches(
                        LABEL,
                        name,
                        "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start"
                                + " and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for"
                                + " validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')");
    }

    static Optional<String> dnsSubdomain(String name) {
        return name.length() > 253
                ? Optional.of("must be no more than 253 characters")
                : matches(
                        SUBDOMAIN,
                        name,
                        "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must"
                                + " start and end with an alphanumeric character");
    }

    /** Key of a label or an annotation: {@code name} or {@code example.com/name}. */
    static Optional<String> qualified(String key) {
        int slash = key.indexOf('/');
        if (slash >= 0) {
            Optional<String> prefix =
                    slash == 0 ? Optional.of("must be non-empty") : dnsSubdomain(key.substring(0, slash));
            if (prefix.isPresent()) {
                return prefix.map(detail -> "prefix part " + detail);
            }
        }
        String name = key.substring(slash + 1);
        if (name.isEmpty()) {
            return Optional.of("name part must be non-empty");
        }
        return name.length() > 63
                ? Optional.of("name part " + MAX_63)
                : matches(
                        QUALIFIED,
                        name,
                        "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an"
                                + " alphanumeric character");
    }

    static Optional<String> labelValue(String value) {
        return value.length() > 63
                ? Optional.of(MAX_63)
                : matches(
                        LABEL_VALUE,
                        value,
                        "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must"
                                + " start and end with an alphanumeric character");
    }

    static Optional<String> environmentVariable(String name) {
        if (name.equals(".") || name.equals("..")) {
            return Optional.of("must not be '" + name + "'");
        }
        return matches(
                ENV,
                name,
                "a valid environment variable name must consist of alphabetic characters, digits, '_', '-', or '.', and must not"
                        + " start with a digit (e.g. 'my.env-name',  or 'MY_ENV.NAME',  or 'MyEnvName1', regex used for"
                        + " validation is '[-._a-zA-Z][-._a-zA-Z0-9]*')");
    }

    static Optional<String> port(String name) {
        if (name.length() > 15) {
            return Optional.of("must be no more than 15 characters");
        }
        if (name.contains("--")) {
            return Optional.of("must not contain consecutive hyphens");
        }
        if (name.startsWith("-") || name.endsWith("-")) {
            return Optional.of("must not begin or end with a hyphen");
        }
        return matches(
                PORT,
                name,
                "must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-), and at least one letter");
    }

    static Optional<String> configKey(String key) {
        return matches(CONFIG_KEY, key, "a valid config key must consist of alphanumeric characters, '-', '_' or '.'");
    }

    static Optional<String> header(String name) {
        return matches(HEADER, name, "a valid HTTP header must consist of alphanumeric characters or '-'");
    }

    /** Below where it starts from, whatever it is joined to. */
    static Optional<String> descendingPath(String path) {
        if (path.startsWith("/")) {
            return Optional.of("must be a relative path");
        }
        return noBackstep(path);
    }

    static Optional<String> noBackstep(String path) {
        return ("/" + path + "/").contains("/../") ? Optional.of("must not contain '..'") : Optional.empty();
    }

    private static Optional<String> matches(Pattern pattern, String text, String detail) {
        return pattern.matcher(text).matches() ? Optional.empty() : Optional.of(detail);
    }

    /** Both rules, the first that fails. */
    static Function<String, Optional<String>> both(
            Function<String, Optional<String>> one, Function<String, Optional<String>> two) {
        return text -> one.apply(text).or(() -> two.apply(text));
    }
}

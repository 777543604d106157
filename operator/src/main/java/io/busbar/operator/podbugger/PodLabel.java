package io.busbar.operator.podbugger;

import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A label that Pods are chosen by.
 *
 * <p>Immutable. Source of the rules: apimachinery's {@code IsQualifiedName} and {@code IsValidLabelValue}.
 */
record PodLabel(String key, String value) {

    private static final String NAME = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]";
    private static final Pattern QUALIFIED = Pattern.compile(
            "(?<prefix>[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?(?<name>" + NAME + ")");
    private static final Pattern VALUE = Pattern.compile("(" + NAME + ")?");
    private static final int LONGEST_NAME = 63;
    private static final int LONGEST_PREFIX = 253;

    /**
     * Reads {@code key=value}.
     *
     * @throws IllegalArgumentException with what is wrong
     */
    static PodLabel parse(String text) {
        int equals = text.indexOf('=');
        if (equals < 0) {
            throw new IllegalArgumentException("must be key=value");
        }
        PodLabel label = new PodLabel(text.substring(0, equals), text.substring(equals + 1));
        label.problem().ifPresent(problem -> {
            throw new IllegalArgumentException(problem);
        });
        return label;
    }

    private Optional<String> problem() {
        var qualified = QUALIFIED.matcher(key);
        if (!qualified.matches()) {
            return Optional.of("the key must be a qualified name, such as app or example.com/app");
        }
        if (qualified.group("name").length() > LONGEST_NAME) {
            return Optional.of("the name of the key must be no more than 63 characters");
        }
        if (qualified.group("prefix") != null && qualified.group("prefix").length() - 1 > LONGEST_PREFIX) {
            return Optional.of("the prefix of the key must be no more than 253 characters");
        }
        if (value.length() > LONGEST_NAME || !VALUE.matcher(value).matches()) {
            return Optional.of(
                    "the value must be a label's: at most 63 letters, digits, '-', '_' and '.', with a letter or digit"
                            + " at both ends");
        }
        return Optional.empty();
    }

    @Override
    public String toString() {
        return key + "=" + value;
    }
}

package io.busbar.common.configuration;

/**
 * One wrong setting.
 *
 * <p>Immutable.
 *
 * @param key the flag or variable as the user wrote it
 * @param value as given; must not be a secret
 * @param allowed what would be right, in words
 */
public record ConfigurationProblem(String key, String value, String allowed) {

    /** One line for people. */
    @Override
    public String toString() {
        return key + ": '" + value + "' is not allowed; allowed: " + allowed;
    }
}

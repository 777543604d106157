package io.busbar.admission;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * What a decision says to the cluster's audit log: there each stands as {@code WEBHOOK/KEY}, where WEBHOOK is the name
 * that the webhook was registered with.
 *
 * <p>Immutable.
 *
 * @param values by key, in the order of keys
 */
public record AuditAnnotations(Map<String, String> values) {

    private static final AuditAnnotations NONE = new AuditAnnotations(Map.of());

    /** The API server puts the webhook's name and a slash before, and drops what is then no qualified name. */
    private static final Pattern KEY = Pattern.compile("[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?");

    /** As those of a ValidatingAdmissionPolicy are cut. */
    private static final int MOST_CHARACTERS = 10 * 1024;

    public AuditAnnotations {
        values = Collections.unmodifiableMap(new TreeMap<>(values));
    }

    public static AuditAnnotations none() {
        return NONE;
    }

    /**
     * With one more, or with another value where it was there.
     *
     * @param key without the webhook's name
     * @param value cut at 10,240 characters, as nobody is to be refused for what is said of them
     * @throws IllegalArgumentException for a key that API servers would drop
     */
    public AuditAnnotations and(String key, String value) {
        if (!KEY.matcher(key).matches()) {
            throw new IllegalArgumentException(
                    "key of an audit annotation: '" + key
                            + "'; allowed: 1 to 63 letters, digits, '-', '_' and '.', a letter or digit first and last, without the webhook's name before");
        }
        Map<String, String> all = new TreeMap<>(values);
        all.put(key, value.length() <= MOST_CHARACTERS ? value : value.substring(0, MOST_CHARACTERS));
        return new AuditAnnotations(all);
    }
}

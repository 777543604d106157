package io.busbar.operator.sidecarset.matching;

import io.fabric8.kubernetes.api.model.LabelSelector;
import io.fabric8.kubernetes.api.model.LabelSelectorRequirement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A label selector that is read once and asked often.
 *
 * <p>An absent selector matches nothing, an empty one everything, as in apimachinery's {@code LabelSelectorAsSelector}.
 *
 * <p>Immutable; asking it allocates nothing.
 */
public final class CompiledSelector {

    private static final CompiledSelector NOTHING = new CompiledSelector(null);

    private final Requirement @Nullable [] requirements;

    private CompiledSelector(Requirement @Nullable [] requirements) {
        this.requirements = requirements;
    }

    /**
     * @throws IllegalArgumentException when an expression has no operator that the API knows
     */
    public static CompiledSelector of(@Nullable LabelSelector selector) {
        if (selector == null) {
            return NOTHING;
        }
        List<Requirement> requirements = new ArrayList<>();
        if (selector.getMatchLabels() != null) {
            selector.getMatchLabels().forEach((key, value) -> requirements.add(new Requirement.In(key, Set.of(value))));
        }
        if (selector.getMatchExpressions() != null) {
            selector.getMatchExpressions().forEach(expression -> requirements.add(compiled(expression)));
        }
        return new CompiledSelector(requirements.toArray(new Requirement[0]));
    }

    private static Requirement compiled(LabelSelectorRequirement expression) {
        String key = expression.getKey();
        Set<String> values = expression.getValues() == null ? Set.of() : Set.copyOf(expression.getValues());
        return switch (String.valueOf(expression.getOperator())) {
            case "In" -> new Requirement.In(key, values);
            case "NotIn" -> new Requirement.NotIn(key, values);
            case "Exists" -> new Requirement.Exists(key);
            case "DoesNotExist" -> new Requirement.DoesNotExist(key);
            default ->
                throw new IllegalArgumentException("not an operator of a label selector: '" + expression.getOperator()
                        + "', allowed: In, NotIn, Exists, DoesNotExist");
        };
    }

    /** Whether an object with these labels is selected; null stands for no labels. */
    public boolean matches(@Nullable Map<String, String> labels) {
        return matches(labels, "", "");
    }

    /** As if the labels had one more, which wins over one of the same key; an empty key for none. */
    boolean matches(@Nullable Map<String, String> labels, String moreKey, String moreValue) {
        if (requirements == null) {
            return false;
        }
        for (Requirement requirement : requirements) {
            String key = requirement.key();
            String value = key.equals(moreKey) ? moreValue : labels == null ? null : labels.get(key);
            if (!requirement.admits(value)) {
                return false;
            }
        }
        return true;
    }

    /** What keeps labels like these from being selected, for people; empty if nothing does. */
    Optional<String> mismatch(@Nullable Map<String, String> labels, String moreKey, String moreValue) {
        if (requirements == null) {
            return Optional.of("the selector selects nothing");
        }
        for (Requirement requirement : requirements) {
            String key = requirement.key();
            String value = key.equals(moreKey) ? moreValue : labels == null ? null : labels.get(key);
            if (!requirement.admits(value)) {
                return Optional.of(
                        "label " + key + (value == null ? " is absent" : " is " + value) + ", " + requirement.wanted());
            }
        }
        return Optional.empty();
    }

    /** What a selector asks of one label. */
    private sealed interface Requirement {

        String key();

        /**
         * @param value null where the object has no such label
         */
        boolean admits(@Nullable String value);

        /** For people. */
        String wanted();

        record In(String key, Set<String> values) implements Requirement {
            @Override
            public boolean admits(@Nullable String value) {
                return value != null && values.contains(value);
            }

            @Override
            public String wanted() {
                return "wanted: " + String.join(" or ", new TreeSet<>(values));
            }
        }

        record NotIn(String key, Set<String> values) implements Requirement {
            @Override
            public boolean admits(@Nullable String value) {
                return value == null || !values.contains(value);
            }

            @Override
            public String wanted() {
                return "not wanted: " + String.join(" or ", new TreeSet<>(values));
            }
        }

        record Exists(String key) implements Requirement {
            @Override
            public boolean admits(@Nullable String value) {
                return value != null;
            }

            @Override
            public String wanted() {
                return "wanted: any value";
            }
        }

        record DoesNotExist(String key) implements Requirement {
            @Override
            public boolean admits(@Nullable String value) {
                return value == null;
            }

            @Override
            public String wanted() {
                return "wanted: none";
            }
        }
    }
}

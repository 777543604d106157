package io.busbar.sandbox.apply;

import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;

/**
 * The fields that a write counts for; the others it resets, so that nobody comes to own them by it.
 *
 * <p>Immutable. As {@code GetResetFields} and {@code GetResetFieldsFilter} of the kinds' strategies tell it.
 */
public final class FieldFilter {

    /** Every field counts. */
    public static final FieldFilter NONE = new FieldFilter(FieldSet.EMPTY, List.of());

    private static final String ANY = "*";

    private final FieldSet reset;
    private final List<List<String>> counted;

    private FieldFilter(FieldSet reset, List<List<String>> counted) {
        this.reset = reset;
        this.counted = counted;
    }

    /** @param paths of what is reset with all that is below it, such as {@code metadata.labels} */
    public static FieldFilter resetting(String... paths) {
        return new FieldFilter(
                Arrays.stream(paths)
                        .map(path -> FieldSet.of(path.split("\\.", -1)))
                        .reduce(FieldSet.EMPTY, FieldSet::union),
                List.of());
    }

    /** @param paths of all that counts, where a star stands for any field or item */
    public static FieldFilter counting(String... paths) {
        return new FieldFilter(
                FieldSet.EMPTY,
                Arrays.stream(paths).map(path -> List.of(path.split("\\.", -1))).toList());
    }

    FieldSet apply(FieldSet set) {
        return counted.isEmpty() ? set.without(reset) : counted(set, counted);
    }

    private static FieldSet counted(FieldSet set, List<List<String>> paths) {
        if (paths.stream().anyMatch(List::isEmpty)) {
            return set;
        }
        TreeMap<PathElement, FieldSet> left = new TreeMap<>();
        set.children().forEach((element, child) -> {
            FieldSet kept = counted(
                    child,
                    paths.stream()
                            .filter(path -> matches(path.get(0), element))
                            .map(path -> path.subList(1, path.size()))
                            .toList());
            if (!kept.isEmpty()) {
                left.put(element, kept);
            }
        });
        return new FieldSet(false, left);
    }

    private static boolean matches(String step, PathElement element) {
        return step.equals(ANY)
                || (element.kind() == PathElement.Kind.FIELD
                        && element.content().equals(step));
    }
}

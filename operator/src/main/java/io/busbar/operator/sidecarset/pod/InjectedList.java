package io.busbar.operator.sidecarset.pod;

import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The names of the sets that were injected into a Pod.
 *
 * <p>Immutable.
 */
public record InjectedList(SortedSet<String> names) {

    private static final InjectedList NONE = new InjectedList(Collections.emptySortedSet());

    /** Reads the annotation's value. */
    public static InjectedList parse(@Nullable String annotation) {
        if (annotation == null || annotation.isEmpty()) {
            return NONE;
        }
        SortedSet<String> names = new TreeSet<>(Arrays.asList(annotation.split(",")));
        names.remove("");
        return new InjectedList(names);
    }

    /** Reads a Pod's annotation; where an old OpenKruise wrote none, it is the sets that have a hash. */
    public static InjectedList of(HasMetadata pod) {
        Map<String, String> annotations = pod.getMetadata().getAnnotations();
        if (annotations == null) {
            return NONE;
        }
        InjectedList written = parse(annotations.get(PodAnnotations.INJECTED_LIST));
        String hashes = annotations.get(PodAnnotations.HASH);
        return written.names().isEmpty() && hashes != null
                ? new InjectedList(
                        new TreeSet<>(SetEntries.parseOrNone(hashes).entries().keySet()))
                : written;
    }

    public InjectedList with(Collection<String> more) {
        SortedSet<String> all = new TreeSet<>(names);
        all.addAll(more);
        return new InjectedList(all);
    }

    /** The annotation's value. */
    @Override
    public String toString() {
        return String.join(",", names);
    }
}

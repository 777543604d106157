package io.busbar.watcher.wire;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Which members of an object are kept, as a tree of their names; lists are passed through.
 *
 * <p>Immutable.
 *
 * @param whole whether a member that has no name here is kept with all that is below it
 */
record FieldTree(boolean whole, Map<String, FieldTree> named) {

    private static final FieldTree ALL = new FieldTree(true, Map.of());
    private static final FieldTree NONE = new FieldTree(false, Map.of());

    /** Without these an object could neither be filed nor compared. */
    private static final List<String> IDENTITY = List.of(
            "metadata.name",
            "metadata.namespace",
            "metadata.uid",
            "metadata.resourceVersion",
            "metadata.generation",
            "metadata.deletionTimestamp");

    /**
     * The tree for a watch.
     *
     * @param paths dotted; none to keep everything but managedFields
     */
    static FieldTree of(Collection<String> paths, boolean metadataOnly) {
        Set<String> kept = new HashSet<>(paths);
        if (metadataOnly) {
            kept.removeIf(path -> !path.equals("metadata") && !path.startsWith("metadata."));
            kept.addAll(paths.isEmpty() ? List.of("metadata") : List.of());
        }
        boolean everything = kept.isEmpty() && !metadataOnly;
        kept.addAll(IDENTITY);
        FieldTree metadata = tree(below("metadata", kept), everything || kept.contains("metadata"));
        Map<String, FieldTree> named = new HashMap<>(tree(kept, everything).named);
        named.put("metadata", kept.contains("metadata.managedFields") ? metadata : metadata.without("managedFields"));
        return new FieldTree(everything, Map.copyOf(named))
                .without("apiVersion")
                .without("kind");
    }

    /** What to keep of a member; null for nothing. */
    @Nullable
    FieldTree child(String name) {
        FieldTree child = named.get(name);
        if (child == null) {
            return whole ? ALL : null;
        }
        return child.equals(NONE) ? null : child;
    }

    private FieldTree without(String name) {
        Map<String, FieldTree> others = new HashMap<>(named);
        others.put(name, NONE);
        return new FieldTree(whole, Map.copyOf(others));
    }

    private static FieldTree tree(Set<String> paths, boolean whole) {
        Map<String, FieldTree> named = paths.stream()
                .map(FieldTree::head)
                .distinct()
                .collect(Collectors.toMap(
                        name -> name, name -> paths.contains(name) ? ALL : tree(below(name, paths), false)));
        return new FieldTree(whole, named);
    }

    private static Set<String> below(String name, Set<String> paths) {
        return paths.stream()
                .filter(path -> path.startsWith(name + "."))
                .map(path -> path.substring(name.length() + 1))
                .collect(Collectors.toSet());
    }

    private static String head(String path) {
        int dot = path.indexOf('.');
        return dot < 0 ? path : path.substring(0, dot);
    }
}

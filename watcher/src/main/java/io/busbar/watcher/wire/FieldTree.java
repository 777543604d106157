package io.busbar.watcher.wire;

import io.busbar.common.internal.json.JsonScanner;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Which members of an object are kept, as a tree of their names; lists are passed through.
 *
 * <p>Immutable.
 */
final class FieldTree {

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

    private final boolean whole;
    private final Map<String, FieldTree> named;
    private final String[] names;
    private final String[] prefixes;

    /**
     * @param whole whether a member that has no name here is kept with all that is below it
     * @param prefixes of the names of others that are kept so
     */
    private FieldTree(boolean whole, Map<String, FieldTree> named, String... prefixes) {
        this.whole = whole;
        this.named = Map.copyOf(named);
        this.names = named.keySet().toArray(String[]::new);
        this.prefixes = prefixes;
    }

    /**
     * The tree for a watch.
     *
     * @param paths as in {@link io.busbar.common.watch.WatchSpec#fields()}; none to keep everything but managedFields
     */
    static FieldTree of(Collection<String> paths, boolean metadataOnly) {
        Set<String> kept = new HashSet<>(paths);
        if (metadataOnly) {
            kept.removeIf(path -> !path.matches("metadata\\b.*"));
            kept.addAll(paths.isEmpty() ? List.of("metadata") : List.of());
        }
        boolean everything = kept.isEmpty() && !metadataOnly;
        kept.addAll(IDENTITY);
        Set<List<String>> split = kept.stream().map(FieldTree::split).collect(Collectors.toSet());
        FieldTree metadata = tree(below("metadata", split), everything || kept.contains("metadata"));
        return tree(split, everything)
                .with(
                        "metadata",
                        kept.contains("metadata.managedFields") ? metadata : metadata.with("managedFields", NONE))
                .with("apiVersion", NONE)
                .with("kind", NONE);
    }

    /** What to keep of the member whose value is next. */
    FieldTree child(JsonScanner object) {
        for (String name : names) {
            if (object.nameIs(name)) {
                return child(name);
            }
        }
        return whole || beginsAsKept(object) ? ALL : NONE;
    }

    /** What to keep of a member that has a name here. */
    FieldTree child(String name) {
        return named.getOrDefault(name, NONE);
    }

    /**
     * Whether a value is kept, or some of it.
     *
     * @param nested whether it is an object or a list
     */
    boolean keeps(boolean nested) {
        return whole || (nested && this != NONE);
    }

    /** Whether nothing is left out. */
    boolean everything() {
        return this == ALL;
    }

    private boolean beginsAsKept(JsonScanner object) {
        for (String prefix : prefixes) {
            if (object.nameBeginsWith(prefix)) {
                return true;
            }
        }
        return false;
    }

    private FieldTree with(String name, FieldTree child) {
        Map<String, FieldTree> others = new HashMap<>(named);
        others.put(name, child);
        return new FieldTree(whole, others, prefixes);
    }

    private static FieldTree tree(Set<List<String>> paths, boolean whole) {
        Map<String, FieldTree> named = new HashMap<>();
        List<String> prefixes = new ArrayList<>();
        for (List<String> path : paths) {
            String head = path.get(0);
            if (head.startsWith("[")) {
                prefixes.add(head.substring(1, head.length() - "*]".length()));
            } else if (!named.containsKey(head)) {
                named.put(head, paths.contains(List.of(head)) ? ALL : tree(below(head, paths), false));
            }
        }
        return new FieldTree(whole, named, prefixes.toArray(String[]::new));
    }

    private static Set<List<String>> below(String name, Set<List<String>> paths) {
        return paths.stream()
                .filter(path -> path.size() > 1 && path.get(0).equals(name))
                .map(path -> path.subList(1, path.size()))
                .collect(Collectors.toSet());
    }

    /** The names on the way, and last the prefix in its brackets, if there is one. */
    private static List<String> split(String path) {
        int bracket = path.indexOf('[');
        String names = bracket < 0 ? path : path.substring(0, bracket);
        List<String> steps = new ArrayList<>(List.of(names.split("\\.")));
        if (bracket >= 0) {
            steps.add(path.substring(bracket));
        }
        return steps;
    }
}

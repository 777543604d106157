package io.busbar.manifests.rbac;

import io.busbar.common.ResourceType;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Verbs that an operator needs on resources of one API group.
 *
 * <p>Immutable; methods return a changed copy.
 *
 * @param group empty for the core group
 * @param resources plural names, with a slash before a subresource: {@code pods/status}
 * @param names of the objects that it is about; empty for all
 */
public record Permission(String group, Set<String> resources, Set<String> names, Set<String> verbs) {

    /** What a watch needs. */
    private static final Set<String> FOLLOW = Set.of("list", "watch");

    public Permission {
        if (resources.isEmpty() || verbs.isEmpty()) {
            throw new IllegalArgumentException(
                    "a permission in group '" + group + "' lacks resources " + resources + " or verbs " + verbs);
        }
        resources = Set.copyOf(resources);
        names = Set.copyOf(names);
        verbs = Set.copyOf(verbs);
    }

    /** These verbs on resources of a group. */
    public static Permission of(String group, List<String> resources, String... verbs) {
        return new Permission(group, Set.copyOf(resources), Set.of(), Set.of(verbs));
    }

    /** These verbs on the objects of a type. */
    public static Permission on(Class<? extends HasMetadata> type, String... verbs) {
        ResourceType resource = ResourceType.of(type);
        return of(resource.group(), List.of(resource.plural()), verbs);
    }

    /** These verbs on a subresource of a type, such as {@code status}. */
    public static Permission on(Class<? extends HasMetadata> type, Subresource subresource, String... verbs) {
        ResourceType resource = ResourceType.of(type);
        return of(resource.group(), List.of(resource.plural() + "/" + subresource.segment()), verbs);
    }

    /** List and watch: what the watcher needs for a type. */
    public static Permission toWatch(Class<? extends HasMetadata> type) {
        return on(type, FOLLOW.toArray(String[]::new));
    }

    /** The same for the named objects only; no use for {@code create}, which has no name to check. */
    public Permission named(String... objects) {
        return new Permission(group, resources, Set.of(objects), verbs);
    }

    /** The subresources that have rules of their own. */
    public enum Subresource {
        STATUS,
        SCALE,
        FINALIZERS,
        EVICTION,
        EPHEMERALCONTAINERS,
        RESIZE;

        String segment() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}

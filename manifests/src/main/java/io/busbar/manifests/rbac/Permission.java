package io.busbar.manifests.rbac;

import io.busbar.common.ResourceType;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Verbs that an operator needs on resources of one API group, or at paths of the API server that are no resources.
 *
 * <p>Immutable; methods return a changed copy.
 *
 * @param group empty for the core group
 * @param resources plural names, with a slash before a subresource: {@code pods/status}
 * @param names of the objects that it is about; empty for all
 * @param namespaced whether the objects are known to be in namespaces, so that a Role in these is enough
 * @param paths such as {@code /metrics}, where there are no resources
 */
public record Permission(
        String group,
        Set<String> resources,
        Set<String> names,
        Set<String> verbs,
        boolean namespaced,
        Set<String> paths) {

    /** What a watch needs. */
    private static final Set<String> FOLLOW = Set.of("list", "watch");

    public Permission {
        if (resources.isEmpty() == paths.isEmpty() || verbs.isEmpty()) {
            throw new IllegalArgumentException("a permission in group '" + group + "' lacks resources " + resources
                    + ", or paths " + paths + " in place of them, or verbs " + verbs);
        }
        resources = Set.copyOf(resources);
        names = Set.copyOf(names);
        verbs = Set.copyOf(verbs);
        paths = Set.copyOf(paths);
    }

    /** On resources. */
    public Permission(String group, Set<String> resources, Set<String> names, Set<String> verbs, boolean namespaced) {
        this(group, resources, names, verbs, namespaced, Set.of());
    }

    /** These verbs at paths that are no resources. */
    public static Permission atPaths(List<String> paths, String... verbs) {
        return new Permission("", Set.of(), Set.of(), Set.copyOf(List.of(verbs)), false, Set.copyOf(paths));
    }

    /** These verbs on resources of a group, which may be in namespaces or not. */
    public static Permission of(String group, List<String> resources, String... verbs) {
        return new Permission(group, Set.copyOf(resources), Set.of(), Set.copyOf(List.of(verbs)), false);
    }

    /** These verbs on the objects of a type. */
    public static Permission on(Class<? extends HasMetadata> type, String... verbs) {
        return on(ResourceType.of(type), "", verbs);
    }

    /** These verbs on a subresource of a type, such as {@code status}. */
    public static Permission on(Class<? extends HasMetadata> type, Subresource subresource, String... verbs) {
        return on(ResourceType.of(type), "/" + subresource.segment(), verbs);
    }

    private static Permission on(ResourceType type, String suffix, String... verbs) {
        Permission permission = of(type.group(), List.of(type.plural() + suffix), verbs);
        return type.namespaced() ? permission.inNamespaces() : permission;
    }

    /** List and watch: what the watcher needs for a type. */
    public static Permission toWatch(Class<? extends HasMetadata> type) {
        return on(type, FOLLOW.toArray(String[]::new));
    }

    /**
     * The same for the named objects only; no use for {@code create}, which has no name to check.
     *
     * @throws IllegalStateException for paths
     */
    public Permission named(String... objects) {
        requireResources("named");
        return new Permission(group, resources, Set.copyOf(List.of(objects)), verbs, namespaced);
    }

    /**
     * The same where the resources are in namespaces, which {@link #on} sees by itself: with an operator that watches
     * some namespaces only, it is given in these alone.
     *
     * @throws IllegalStateException for paths
     */
    public Permission inNamespaces() {
        requireResources("in namespaces");
        return new Permission(group, resources, names, verbs, true);
    }

    private void requireResources(String what) {
        if (resources.isEmpty()) {
            throw new IllegalStateException("paths are neither named nor in namespaces, and these " + paths
                    + " were to be " + what + "; allowed: resources");
        }
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

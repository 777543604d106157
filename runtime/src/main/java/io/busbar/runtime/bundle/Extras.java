package io.busbar.runtime.bundle;

import io.busbar.manifests.rbac.Permission;
import io.fabric8.kubernetes.client.CustomResource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * What a cluster needs for a bundle and nobody can see in what the bundle declares.
 *
 * <p>Immutable; methods return a changed copy.
 *
 * @param permissions in the whole cluster
 * @param ownNamespace permissions in the operator's own namespace
 * @param kinds that the bundle defines and does not control
 * @param foreign kinds that it controls and others define
 * @param images that its Pods may run where nobody names others, by a name for each
 */
public record Extras(
        List<Permission> permissions,
        List<Permission> ownNamespace,
        List<Class<? extends CustomResource<?, ?>>> kinds,
        List<Class<? extends CustomResource<?, ?>>> foreign,
        Map<String, String> images) {

    public Extras {
        permissions = List.copyOf(permissions);
        ownNamespace = List.copyOf(ownNamespace);
        kinds = List.copyOf(kinds);
        foreign = List.copyOf(foreign);
        images = Map.copyOf(images);
    }

    /** All follows from the rest. */
    public static Extras none() {
        return new Extras(List.of(), List.of(), List.of(), List.of(), Map.of());
    }

    /** For what reconcilers do through the client, in the whole cluster. */
    public Extras allowing(Permission... more) {
        return new Extras(and(permissions, more), ownNamespace, kinds, foreign, images);
    }

    /** For what they do in the operator's own namespace alone. */
    public Extras allowingInOwnNamespace(Permission... more) {
        return new Extras(permissions, and(ownNamespace, more), kinds, foreign, images);
    }

    /** A kind whose definition is the bundle's too, though no controller of it has it as its primary. */
    public Extras defining(Class<? extends CustomResource<?, ?>> kind) {
        return new Extras(
                permissions,
                ownNamespace,
                Stream.concat(kinds.stream(), Stream.of(kind))
                        .<Class<? extends CustomResource<?, ?>>>map(one -> one)
                        .toList(),
                foreign,
                images);
    }

    /** A kind whose definition somebody else installs, though a controller of the bundle has it as its primary. */
    public Extras leaving(Class<? extends CustomResource<?, ?>> kind) {
        return new Extras(
                permissions,
                ownNamespace,
                kinds,
                Stream.concat(foreign.stream(), Stream.of(kind))
                        .<Class<? extends CustomResource<?, ?>>>map(one -> one)
                        .toList(),
                images);
    }

    /**
     * An image that its Pods may run where nobody names another: whoever mirrors images reads it off the bundle for
     * OLM.
     *
     * @param name in lower case, such as {@code redis-leader}
     */
    public Extras running(String name, String image) {
        Map<String, String> more = new HashMap<>(images);
        more.put(name, image);
        return new Extras(permissions, ownNamespace, kinds, foreign, more);
    }

    private static List<Permission> and(List<Permission> some, Permission... more) {
        return Stream.concat(some.stream(), Stream.of(more)).toList();
    }
}

package io.busbar.runtime.bundle;

import io.busbar.manifests.rbac.Permission;
import io.fabric8.kubernetes.client.CustomResource;
import java.util.List;
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
 */
public record Extras(
        List<Permission> permissions,
        List<Permission> ownNamespace,
        List<Class<? extends CustomResource<?, ?>>> kinds,
        List<Class<? extends CustomResource<?, ?>>> foreign) {

    public Extras {
        permissions = List.copyOf(permissions);
        ownNamespace = List.copyOf(ownNamespace);
        kinds = List.copyOf(kinds);
        foreign = List.copyOf(foreign);
    }

    /** All follows from the rest. */
    public static Extras none() {
        return new Extras(List.of(), List.of(), List.of(), List.of());
    }

    /** For what reconcilers do through the client, in the whole cluster. */
    public Extras allowing(Permission... more) {
        return new Extras(and(permissions, more), ownNamespace, kinds, foreign);
    }

    /** For what they do in the operator's own namespace alone. */
    public Extras allowingInOwnNamespace(Permission... more) {
        return new Extras(permissions, and(ownNamespace, more), kinds, foreign);
    }

    /** A kind whose definition is the bundle's too, though no controller of it has it as its primary. */
    public Extras defining(Class<? extends CustomResource<?, ?>> kind) {
        return new Extras(
                permissions,
                ownNamespace,
                Stream.concat(kinds.stream(), Stream.of(kind))
                        .<Class<? extends CustomResource<?, ?>>>map(one -> one)
                        .toList(),
                foreign);
    }

    /** A kind whose definition somebody else installs, though a controller of the bundle has it as its primary. */
    public Extras leaving(Class<? extends CustomResource<?, ?>> kind) {
        return new Extras(
                permissions,
                ownNamespace,
                kinds,
                Stream.concat(foreign.stream(), Stream.of(kind))
                        .<Class<? extends CustomResource<?, ?>>>map(one -> one)
                        .toList());
    }

    private static List<Permission> and(List<Permission> some, Permission... more) {
        return Stream.concat(some.stream(), Stream.of(more)).toList();
    }
}

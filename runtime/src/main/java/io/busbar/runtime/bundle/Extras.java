package io.busbar.runtime.bundle;

import io.busbar.manifests.rbac.Permission;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
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
 * @param exact whether these are all that its controllers need: nothing is derived from what they declare
 * @param ownNamespace permissions in the operator's own namespace
 * @param kinds that the bundle defines and does not control
 * @param definitions of kinds that no class describes
 * @param foreign kinds that it controls and others define
 * @param images that its Pods may run where nobody names others, by a name for each
 * @param alerts of Prometheus, as a list in YAML; empty for none
 * @param graphs of Grafana, as a list in YAML; empty for none
 */
public record Extras(
        List<Permission> permissions,
        boolean exact,
        List<Permission> ownNamespace,
        List<Class<? extends CustomResource<?, ?>>> kinds,
        List<CustomResourceDefinition> definitions,
        List<Class<? extends CustomResource<?, ?>>> foreign,
        Map<String, String> images,
        String alerts,
        String graphs) {

    public Extras {
        permissions = List.copyOf(permissions);
        ownNamespace = List.copyOf(ownNamespace);
        kinds = List.copyOf(kinds);
        definitions = List.copyOf(definitions);
        foreign = List.copyOf(foreign);
        images = Map.copyOf(images);
    }

    /** All follows from the rest. */
    public static Extras none() {
        return new Extras(List.of(), false, List.of(), List.of(), List.of(), List.of(), Map.of(), "", "");
    }

    /** For what reconcilers do through the client, in the whole cluster. */
    public Extras allowing(Permission... more) {
        return new Extras(
                and(permissions, more), exact, ownNamespace, kinds, definitions, foreign, images, alerts, graphs);
    }

    /** What its controllers need in the whole cluster, in place of all that follows from what they declare. */
    public Extras allowingExactly(List<Permission> all) {
        return new Extras(all, true, ownNamespace, kinds, definitions, foreign, images, alerts, graphs);
    }

    /** For what they do in the operator's own namespace alone. */
    public Extras allowingInOwnNamespace(Permission... more) {
        return new Extras(
                permissions, exact, and(ownNamespace, more), kinds, definitions, foreign, images, alerts, graphs);
    }

    /** A kind whose definition is the bundle's too, though no controller of it has it as its primary. */
    public Extras defining(Class<? extends CustomResource<?, ?>> kind) {
        return new Extras(
                permissions,
                exact,
                ownNamespace,
                Stream.concat(kinds.stream(), Stream.of(kind))
                        .<Class<? extends CustomResource<?, ?>>>map(one -> one)
                        .toList(),
                definitions,
                foreign,
                images,
                alerts,
                graphs);
    }

    /** A kind that no class describes, such as one whose schema is known at run time alone. */
    public Extras defining(CustomResourceDefinition kind) {
        return new Extras(
                permissions,
                exact,
                ownNamespace,
                kinds,
                Stream.concat(definitions.stream(), Stream.of(kind)).toList(),
                foreign,
                images,
                alerts,
                graphs);
    }

    /** A kind whose definition somebody else installs, though a controller of the bundle has it as its primary. */
    public Extras leaving(Class<? extends CustomResource<?, ?>> kind) {
        return new Extras(
                permissions,
                exact,
                ownNamespace,
                kinds,
                definitions,
                Stream.concat(foreign.stream(), Stream.of(kind))
                        .<Class<? extends CustomResource<?, ?>>>map(one -> one)
                        .toList(),
                images,
                alerts,
                graphs);
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
        return new Extras(permissions, exact, ownNamespace, kinds, definitions, foreign, more, alerts, graphs);
    }

    /**
     * Alerts about what the bundle measures, in a group of their own beside the operator's.
     *
     * @param rules as Prometheus has them, as a list in YAML. <code>${metrics.job}</code> stands for the job of the
     *     operator's metrics, and <code>${name}</code> for its name
     */
    public Extras alerting(String rules) {
        return new Extras(permissions, exact, ownNamespace, kinds, definitions, foreign, images, rules, graphs);
    }

    /**
     * Graphs of what the bundle measures, on the operator's dashboard, after its own.
     *
     * @param more a list in YAML of graphs, each with {@code title}, {@code unit} as Grafana calls it, {@code query} and
     *     {@code legend}; <code>$job</code> stands for the job of the operator's metrics
     */
    public Extras drawing(String more) {
        return new Extras(permissions, exact, ownNamespace, kinds, definitions, foreign, images, alerts, more);
    }

    private static List<Permission> and(List<Permission> some, Permission... more) {
        return Stream.concat(some.stream(), Stream.of(more)).toList();
    }
}

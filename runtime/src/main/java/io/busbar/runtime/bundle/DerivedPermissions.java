package io.busbar.runtime.bundle;

import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.type.TypeFactory;
import io.busbar.admission.conversion.Versions;
import io.busbar.common.ResourceType;
import io.busbar.common.watch.WatchRequest;
import io.busbar.manifests.rbac.Permission;
import io.busbar.manifests.rbac.Permission.Subresource;
import io.busbar.reconciler.Controller;
import io.busbar.reconciler.Write;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.CustomResource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What a bundle must be allowed to do, as its declarations have it.
 *
 * <pre>
 *   primary            get, list, watch; patch, if it gets or loses a finalizer; patch of its status, if it has one
 *   owned              list, watch; applied: get, create, patch; created: get, create; deleted: delete
 *                      update of the primary's finalizers, which the API server may ask of whoever makes it block its owner's deletion
 *   watched, read      list, watch
 *   Events             create, patch
 *   several versions   list; patch of its status, or of itself where it has none; get of its definition, and patch of that one's status
 * </pre>
 *
 * What is watched in the operator's own namespace alone needs no more than a Role there, and what is watched by its
 * name no more than that one object.
 *
 * <p>One thread.
 */
final class DerivedPermissions {

    private static final String[] WATCH = {"list", "watch"};

    /** By which the API server knows that a list or a watch is about one object. */
    private static final Pattern ONE_NAME = Pattern.compile("metadata\\.name=[^,=!]+");

    private final String namespace;
    private final List<Permission> everywhere = new ArrayList<>();
    private final List<Permission> ownNamespace = new ArrayList<>();

    /**
     * @param namespace the operator's own
     */
    DerivedPermissions(String namespace) {
        this.namespace = namespace;
    }

    void add(Controller<?> controller) {
        List<WatchRequest<?>> watches = controller.watchRequests();
        watches.forEach(this::addWatch);
        WatchRequest<?> primaries = watches.get(0);
        ResourceType primary = primaries.spec().resource();
        // One that it was too late to write is looked at again.
        allow(primaries, primary.plural(), "get");
        if (controller.finalizer().isPresent() || controller.formerFinalizer().isPresent()) {
            allow(primaries, primary.plural(), "patch");
        }
        if (hasStatus(controller.type())) {
            allow(primaries, primary.plural() + "/status", "patch");
        }
        controller.owned().forEach((type, writes) -> {
            WatchRequest<?> owned = watches.stream()
                    .filter(watch -> watch.spec().resource().equals(type))
                    .findFirst()
                    .orElseThrow();
            writes.forEach(write -> allow(owned, type.plural(), verbs(write)));
        });
        boolean makesSome = controller.owned().values().stream()
                .anyMatch(writes -> writes.contains(Write.APPLY) || writes.contains(Write.CREATE));
        if (makesSome) {
            allow(primaries, primary.plural() + "/finalizers", "update");
        }
        Permission events = Permission.of("events.k8s.io", List.of("events"), "create", "patch");
        everywhere.add(primary.namespaced() ? events.inNamespaces() : events);
    }

    void addWatch(WatchRequest<?> watch) {
        allow(watch, watch.spec().resource().plural(), WATCH);
    }

    /** To have all objects stored in the version that is stored now. */
    void addMigration(Versions<?> versions) {
        Class<? extends HasMetadata> hub = versions.types().get(0);
        String definition = versions.resource().toString();
        everywhere.add(Permission.on(hub, "list"));
        everywhere.add(hasStatus(hub) ? Permission.on(hub, Subresource.STATUS, "patch") : Permission.on(hub, "patch"));
        everywhere.add(Permission.on(CustomResourceDefinition.class, "get").named(definition));
        everywhere.add(Permission.on(CustomResourceDefinition.class, Subresource.STATUS, "patch")
                .named(definition));
    }

    /** In the whole cluster. */
    List<Permission> everywhere(List<Permission> extras) {
        return Stream.concat(everywhere.stream(), extras.stream()).toList();
    }

    List<Permission> inOwnNamespace(List<Permission> extras) {
        return Stream.concat(ownNamespace.stream(), extras.stream()).toList();
    }

    private void allow(WatchRequest<?> watch, String resource, String... verbs) {
        ResourceType type = watch.spec().resource();
        Permission permission = Permission.of(type.group(), List.of(resource), verbs);
        // One that names its namespaces watches them whatever the operator is told to watch.
        if (type.namespaced() && watch.spec().namespaces().isEmpty()) {
            permission = permission.inNamespaces();
        }
        String fields = watch.spec().fieldSelector();
        if (ONE_NAME.matcher(fields).matches()) {
            permission = permission.named(fields.substring(fields.indexOf('=') + 1));
        }
        boolean here = watch.spec().namespaces().equals(Set.of(namespace));
        (here ? ownNamespace : everywhere).add(permission);
    }

    private static String[] verbs(Write write) {
        return switch (write) {
            // An object that its watch does not show is read before it is judged.
            case APPLY -> new String[] {"get", "create", "patch"};
            case CREATE -> new String[] {"get", "create"};
            case DELETE -> new String[] {"delete"};
        };
    }

    private static boolean hasStatus(Class<?> primary) {
        JavaType[] types =
                TypeFactory.defaultInstance().constructType(primary).findTypeParameters(CustomResource.class);
        return types != null && types.length == 2 && !types[1].hasRawClass(Void.class);
    }
}

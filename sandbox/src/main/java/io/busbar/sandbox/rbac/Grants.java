package io.busbar.sandbox.rbac;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.common.ObjectKey;
import io.busbar.sandbox.request.Caller;
import io.busbar.sandbox.storage.GroupResource;
import io.busbar.sandbox.storage.StoreEvent;
import io.busbar.sandbox.syntax.GoText;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * What is granted to whom, kept up to date with each write, and found by namespace and subject: a question costs as
 * much as its subject has roles there, however many bindings there are.
 *
 * <p>One context.
 */
final class Grants {

    private static final GroupResource BINDINGS = new GroupResource(RoleRef.GROUP, "rolebindings");
    private static final GroupResource CLUSTER_BINDINGS = new GroupResource(RoleRef.GROUP, "clusterrolebindings");

    /** @param namespace empty for the whole cluster */
    private record Place(String namespace, Subject subject) {}

    /** By binding: what it grants, in words. More than one may grant the same role. */
    private final Map<Place, Map<RoleRef, TreeMap<ObjectKey, String>>> granted = new HashMap<>();

    private final Map<RoleRef, List<Rule>> rules = new HashMap<>();

    /** A role that somebody has, and by what. */
    record Grant(RoleRef role, String reason) {}

    /** Takes note of a change, whatever it is of. */
    void changed(StoreEvent event) {
        if (!event.resource().group().equals(RoleRef.GROUP)) {
            return;
        }
        boolean gone = event.type() == StoreEvent.Type.DELETED;
        if (event.resource().equals(BINDINGS) || event.resource().equals(CLUSTER_BINDINGS)) {
            if (event.previous() != null) {
                revoke(event.key(), event.previous());
            }
            if (!gone) {
                grant(event.key(), event.object());
            }
        } else {
            RoleRef role = new RoleRef(event.resource().equals(RoleRef.ROLES) ? "Role" : "ClusterRole", event.key());
            if (gone) {
                rules.remove(role);
            } else {
                rules.put(role, Rule.all(event.object()));
            }
        }
    }

    /** Empty for a role that is not there. */
    Optional<List<Rule>> rules(RoleRef role) {
        return Optional.ofNullable(rules.get(role));
    }

    /** In the whole cluster, then in the namespace, unless that is empty. */
    Set<Grant> of(Caller caller, String namespace) {
        Set<Grant> grants = new LinkedHashSet<>();
        collect(grants, caller, "");
        if (!namespace.isEmpty()) {
            collect(grants, caller, namespace);
        }
        return grants;
    }

    private void collect(Set<Grant> grants, Caller caller, String namespace) {
        collect(grants, new Place(namespace, Subject.user(caller.username())));
        caller.groups().forEach(group -> collect(grants, new Place(namespace, Subject.group(group))));
    }

    private void collect(Set<Grant> grants, Place place) {
        granted.getOrDefault(place, Map.of())
                .forEach((role, bindings) ->
                        grants.add(new Grant(role, bindings.firstEntry().getValue())));
    }

    private void grant(ObjectKey key, ObjectNode binding) {
        RoleRef role = RoleRef.of(binding, key.namespace());
        for (JsonNode subject : binding.path("subjects")) {
            granted.computeIfAbsent(place(key, subject), absent -> new LinkedHashMap<>())
                    .computeIfAbsent(role, absent -> new TreeMap<>())
                    .putIfAbsent(key, describe(key, role, subject));
        }
    }

    private void revoke(ObjectKey key, ObjectNode binding) {
        RoleRef role = RoleRef.of(binding, key.namespace());
        for (JsonNode subject : binding.path("subjects")) {
            granted.computeIfPresent(place(key, subject), (place, roles) -> {
                roles.computeIfPresent(role, (same, bindings) -> {
                    bindings.remove(key);
                    return bindings.isEmpty() ? null : bindings;
                });
                return roles.isEmpty() ? null : roles;
            });
        }
    }

    private static Place place(ObjectKey binding, JsonNode subject) {
        return new Place(binding.namespace(), Subject.of(subject, binding.namespace()));
    }

    private static String describe(ObjectKey binding, RoleRef role, JsonNode subject) {
        boolean everywhere = binding.namespace().isEmpty();
        String named = everywhere ? binding.name() : binding.name() + "/" + binding.namespace();
        return (everywhere ? "ClusterRoleBinding " : "RoleBinding ") + GoText.quote(named) + " of " + role.kind() + " "
                + GoText.quote(role.key().name()) + " to " + Subject.describe(subject, binding.namespace());
    }
}

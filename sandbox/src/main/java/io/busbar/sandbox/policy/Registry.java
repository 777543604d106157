package io.busbar.sandbox.policy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.storage.GroupResource;
import io.busbar.sandbox.storage.MemoryStore;
import io.busbar.sandbox.storage.Metadata;
import io.busbar.sandbox.storage.StoreEvent;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;

/**
 * The policies of one of the two kinds that are in force now, by name: those that are bound.
 *
 * <p>One context. They are compiled when they are first asked for.
 */
final class Registry {

    private static final String GROUP = "admissionregistration.k8s.io";

    private final MemoryStore store;
    private final GroupResource policies;
    private final GroupResource bindings;
    private IdentityHashMap<ObjectNode, Policy> compiled = new IdentityHashMap<>();
    private List<Policy> bound = List.of();
    private boolean stale = true;

    /** @param plural of the policies, such as {@code validatingadmissionpolicies} */
    Registry(MemoryStore store, String plural) {
        this.store = store;
        this.policies = new GroupResource(GROUP, plural);
        this.bindings = new GroupResource(GROUP, plural.replace("policies", "policybindings"));
        store.onChange(this::changed);
    }

    private void changed(StoreEvent event) {
        stale |= event.resource().equals(policies) || event.resource().equals(bindings);
    }

    /** Whether a write is of a policy or a binding: policies have no say in those. */
    static boolean isPolicy(GroupResource resource) {
        return resource.group().equals(GROUP) && resource.plural().contains("admissionpolic");
    }

    List<Policy> policies() {
        if (stale) {
            IdentityHashMap<ObjectNode, Policy> now = new IdentityHashMap<>();
            List<Policy> all = new ArrayList<>();
            for (ObjectNode object : store.shelf(policies).objects("").values()) {
                List<Policy.Binding> own = store.shelf(bindings).objects("").values().stream()
                        .filter(binding -> binding.at("/spec/policyName")
                                .asText()
                                .equals(Metadata.of(object).name()))
                        .map(Policy.Binding::of)
                        .toList();
                if (!own.isEmpty()) {
                    Policy known = compiled.get(object);
                    Policy policy = known == null ? Policy.of(object, own) : known.bound(own);
                    now.put(object, policy);
                    all.add(policy);
                }
            }
            compiled = now;
            bound = List.copyOf(all);
            stale = false;
        }
        return bound;
    }
}

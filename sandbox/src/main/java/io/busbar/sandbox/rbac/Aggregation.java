package io.busbar.sandbox.rbac;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.common.ObjectKey;
import io.busbar.sandbox.select.LabelSelector;
import io.busbar.sandbox.select.SelectorException;
import io.busbar.sandbox.status.StatusException;
import io.busbar.sandbox.storage.Metadata;
import io.busbar.sandbox.storage.ObjectStore;
import io.busbar.sandbox.storage.StoreEvent;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Fills the rules of each ClusterRole that has an {@code aggregationRule} with those of the roles that it selects.
 *
 * <p>One context. A role that it changes may be selected by others in turn, which the change itself tells.
 */
public final class Aggregation {

    private static final Logger log = LoggerFactory.getLogger(Aggregation.class);
    private static final String RULE = "aggregationRule";

    private final ObjectStore store;
    /** Roles that are the sum of others. */
    private final Set<ObjectKey> sums = new LinkedHashSet<>();

    public Aggregation(ObjectStore store) {
        this.store = store;
    }

    public void start() {
        store.watch(RoleRef.CLUSTER_ROLES, this::changed);
    }

    private void changed(StoreEvent event) {
        if (event.type() != StoreEvent.Type.DELETED && event.object().has(RULE)) {
            sums.add(event.key());
        } else {
            sums.remove(event.key());
        }
        List.copyOf(sums).forEach(this::sum);
    }

    private void sum(ObjectKey key) {
        ObjectNode role = store.get(RoleRef.CLUSTER_ROLES, key);
        if (role == null || !role.has(RULE)) {
            return;
        }
        ArrayNode rules = rules(key, role);
        if (rules.equals(role.get("rules"))) {
            return;
        }
        store.update(RoleRef.CLUSTER_ROLES, key, now -> {
                    if (now != null) {
                        now.set("rules", rules);
                    }
                    return now;
                })
                .onFailure(failure -> {
                    if (!(failure instanceof StatusException)) {
                        log.atError()
                                .addKeyValue("name", key.name())
                                .setCause(failure)
                                .log("a role was not summed up");
                    }
                });
    }

    /** Each rule once, in the order of the selectors, then of the roles' names. */
    private ArrayNode rules(ObjectKey key, ObjectNode role) {
        Set<JsonNode> rules = new LinkedHashSet<>();
        for (JsonNode selector : role.path(RULE).path("clusterRoleSelectors")) {
            for (ObjectNode other : selected(selector)) {
                if (!Metadata.of(other).name().equals(key.name())) {
                    other.path("rules").forEach(rules::add);
                }
            }
        }
        ArrayNode array = role.arrayNode();
        rules.forEach(array::add);
        return array;
    }

    private List<ObjectNode> selected(JsonNode selector) {
        try {
            LabelSelector labels = LabelSelector.of(selector);
            return store.list(RoleRef.CLUSTER_ROLES).stream()
                    .filter(role -> labels.matches(role.path("metadata").path("labels")))
                    .toList();
        } catch (SelectorException noSelector) {
            log.atWarn().addKeyValue("reason", noSelector.getMessage()).log("a role cannot be summed up");
            return List.of();
        }
    }
}

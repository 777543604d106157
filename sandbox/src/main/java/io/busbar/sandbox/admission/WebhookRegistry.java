package io.busbar.sandbox.admission;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.resource.Catalog;
import io.busbar.sandbox.resource.Resource;
import io.busbar.sandbox.storage.GroupResource;
import io.busbar.sandbox.storage.MemoryStore;
import io.busbar.sandbox.storage.StoreEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The webhooks that are configured now, and which of them have a say in a request.
 *
 * <p>One context. Order: by the configuration's name, then as listed in it.
 */
final class WebhookRegistry {

    private static final String GROUP = "admissionregistration.k8s.io";
    private static final GroupResource MUTATING = new GroupResource(GROUP, "mutatingwebhookconfigurations");
    private static final GroupResource VALIDATING = new GroupResource(GROUP, "validatingwebhookconfigurations");

    /** A webhook that has a say, and the version in which it wants to see the object. */
    record Match(Webhook webhook, Resource resource) {}

    private final MemoryStore store;
    private final Catalog catalog;
    private List<Webhook> mutating = List.of();
    private List<Webhook> validating = List.of();

    WebhookRegistry(MemoryStore store, Catalog catalog) {
        this.store = store;
        this.catalog = catalog;
        store.onChange(this::changed);
    }

    private void changed(StoreEvent event) {
        if (event.resource().equals(MUTATING)) {
            mutating = read(MUTATING, true);
        } else if (event.resource().equals(VALIDATING)) {
            validating = read(VALIDATING, false);
        }
    }

    private List<Webhook> read(GroupResource resource, boolean mutates) {
        List<Webhook> webhooks = new ArrayList<>();
        store.shelf(resource)
                .objects("")
                .values()
                .forEach(configuration -> webhooks.addAll(Webhook.of(configuration, mutates)));
        return List.copyOf(webhooks);
    }

    /** Those that are asked in turn, if they have a say; nobody has one in the configurations themselves. */
    List<Webhook> webhooks(boolean mutates, AdmissionAttributes attributes) {
        GroupResource storage = attributes.target().resource().storage();
        return storage.equals(MUTATING) || storage.equals(VALIDATING) ? List.of() : mutates ? mutating : validating;
    }

    /** @param object as it is now; null for a deletion */
    Optional<Match> match(Webhook webhook, AdmissionAttributes attributes, @Nullable ObjectNode object) {
        return webhook.matching()
                .match(attributes, object, store, catalog)
                .map(resource -> new Match(webhook, resource));
    }
}

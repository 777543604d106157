package io.busbar.sandbox.quota;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.admission.AdmissionAttributes;
import io.busbar.sandbox.admission.Plugin;
import io.busbar.sandbox.request.Caller;
import io.busbar.sandbox.request.Target;
import io.busbar.sandbox.request.WriteOptions;
import io.busbar.sandbox.resource.Catalog;
import io.busbar.sandbox.status.StatusException;
import io.busbar.sandbox.storage.GroupResource;
import io.busbar.sandbox.storage.MemoryStore;
import io.busbar.sandbox.storage.Metadata;
import io.busbar.sandbox.verbs.Owners;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Refuses what would exceed a quota, and charges the quotas for what they allow. What is charged for a write that fails
 * afterwards is given back by the controller.
 *
 * <p>One context. What the admission plugin ResourceQuota does; a quota counts once its controller has seen it.
 */
public final class Quotas implements Plugin {

    static final GroupResource RESOURCE = GroupResource.core("resourcequotas");
    private static final Set<GroupResource> FREE =
            Set.of(GroupResource.core("events"), new GroupResource("events.k8s.io", "events"));
    /** Of other kinds no update changes how much they use. */
    private static final Set<GroupResource> GROWING =
            Set.of(GroupResource.core("services"), GroupResource.core("persistentvolumeclaims"));

    private static final WriteOptions SERVER = WriteOptions.of(Caller.master("system:apiserver"), "kube-apiserver");

    private final MemoryStore store;
    private final Catalog catalog;
    private final InstantSource clock;

    public Quotas(MemoryStore store, Catalog catalog, InstantSource clock) {
        this.store = store;
        this.catalog = catalog;
        this.clock = clock;
    }

    @Override
    public void validate(AdmissionAttributes attributes, ObjectNode object) {
        Target target = attributes.target();
        GroupResource kind = target.resource().storage();
        String namespace = target.resource().type().namespaced() ? target.namespace() : "";
        boolean grows = attributes.operation().equals("CREATE")
                || (attributes.operation().equals("UPDATE") && GROWING.contains(kind));
        boolean resized =
                kind.equals(GroupResource.core("pods")) && target.subresource().equals("resize");
        if (namespace.isEmpty()
                || FREE.contains(kind)
                || !target.resource().stored()
                || !(resized || (grows && target.subresource().isEmpty()))) {
            return;
        }
        Map<ObjectNode, Amounts> charges = new LinkedHashMap<>();
        for (ObjectNode quota : store.shelf(RESOURCE).objects(namespace).values()) {
            Amounts used = check(quota, kind, attributes, object);
            if (used != null) {
                charges.put(quota, used);
            }
        }
        if (!attributes.options().dryRun()) {
            charges.forEach(this::charge);
        }
    }

    /** What is used of a quota with this object; null when it changes nothing. */
    private @Nullable Amounts check(
            ObjectNode quota, GroupResource kind, AdmissionAttributes attributes, ObjectNode object) {
        Amounts hard = Amounts.of(quota.path("status").path("hard"));
        Amounts used = Amounts.of(quota.path("status").path("used"));
        Amounts limited = hard.only(name -> Usage.isOf(kind, name));
        if (limited.names().isEmpty() || !Scopes.contain(quota.path("spec"), kind, object)) {
            return null;
        }
        String name = Metadata.of(quota).name();
        String missing = Usage.missing(kind, object, limited.names());
        if (!missing.isEmpty()) {
            throw refused(attributes, object, "failed quota: " + name + ": must specify " + missing);
        }
        if (!used.names().containsAll(limited.names())) {
            throw refused(
                    attributes,
                    object,
                    "status unknown for quota: " + name + ", resources: " + String.join(",", limited.names()));
        }
        Amounts delta = delta(quota, kind, attributes, object).only(hard.names()::contains);
        if (delta.isZero()) {
            return null;
        }
        Amounts sum = used.copy().add(delta);
        List<String> exceeded = delta.names().stream()
                .filter(resource -> sum.of(resource).compareTo(hard.of(resource)) > 0)
                .toList();
        if (!exceeded.isEmpty()) {
            throw refused(
                    attributes,
                    object,
                    "exceeded quota: " + name + ", requested: "
                            + delta.only(exceeded::contains).shown() + ", used: "
                            + used.only(exceeded::contains).shown() + ", limited: "
                            + hard.only(exceeded::contains).shown());
        }
        return sum;
    }

    /** What this write adds; never less than nothing. */
    private Amounts delta(ObjectNode quota, GroupResource kind, AdmissionAttributes attributes, ObjectNode object) {
        Amounts now = Usage.of(kind, object, clock.instant());
        ObjectNode before = attributes.before();
        Amounts delta = before != null && Scopes.contain(quota.path("spec"), kind, before)
                ? now.beyond(Usage.of(kind, before, clock.instant()))
                : now;
        return delta.only(name -> delta.of(name).signum() > 0);
    }

    private void charge(ObjectNode quota, Amounts used) {
        Metadata metadata = Metadata.of(quota);
        Target target = catalog.stored(RESOURCE)
                .map(resource -> new Target(resource, metadata.namespace(), metadata.name(), "status"))
                .orElseThrow();
        ObjectNode after = quota.deepCopy();
        after.withObject("/status").set("used", used.node());
        store.replace(RESOURCE, metadata.key(), quota, Owners.written(target, SERVER, quota, after, clock.instant()));
    }

    private static StatusException refused(AdmissionAttributes attributes, ObjectNode object, String why) {
        return StatusException.forbidden(
                attributes.target().resource().named(), Metadata.of(object).name(), why);
    }
}

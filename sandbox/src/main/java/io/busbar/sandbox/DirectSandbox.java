package io.busbar.sandbox;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.common.ObjectKey;
import io.busbar.common.ResourceType;
import io.busbar.sandbox.admission.AdmissionAttributes;
import io.busbar.sandbox.admission.AdmissionChain;
import io.busbar.sandbox.auth.Access;
import io.busbar.sandbox.auth.Authenticator;
import io.busbar.sandbox.auth.ServiceAccountTokens;
import io.busbar.sandbox.auth.TokenRequests;
import io.busbar.sandbox.auth.UserTokens;
import io.busbar.sandbox.clock.ClusterClock;
import io.busbar.sandbox.crd.CustomResources;
import io.busbar.sandbox.faults.Fault;
import io.busbar.sandbox.faults.FaultPlan;
import io.busbar.sandbox.faults.InjectedFault;
import io.busbar.sandbox.http.DirectServer;
import io.busbar.sandbox.http.DirectServer.Answered;
import io.busbar.sandbox.journal.ServerIdentity;
import io.busbar.sandbox.kinds.BuiltInKinds;
import io.busbar.sandbox.kinds.service.ServiceAddresses;
import io.busbar.sandbox.rbac.Unrestricted;
import io.busbar.sandbox.resource.BuiltIn;
import io.busbar.sandbox.resource.Catalog;
import io.busbar.sandbox.resource.Release;
import io.busbar.sandbox.resource.Resource;
import io.busbar.sandbox.storage.GroupResource;
import io.busbar.sandbox.storage.MemoryStore;
import io.busbar.sandbox.storage.Metadata;
import io.busbar.sandbox.storage.Past;
import io.busbar.sandbox.storage.StoreEvent;
import io.busbar.sandbox.verbs.Cluster;
import io.busbar.sandbox.verbs.Verbs;
import io.busbar.sandbox.webhook.WebhookCalls;
import io.vertx.core.Future;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The API server of a {@link Sandbox} alone, that is called and not connected to: no port, no event loop, no time that
 * passes, and nobody who works on objects but the caller. It is there at once, and answers at once. For unit tests.
 *
 * <p>Objects get versions, uids, generations and managers of fields as they do from a sandbox that listens, and are
 * defaulted and validated as there. It does not imitate, beside what a sandbox does not: watches ({@link #onChange}
 * takes their place), webhooks, service accounts of Pods, namespaces that have to be made before anything in them,
 * garbage collection, feature gates, and faults that take time.
 *
 * <p>Any thread, one at a time.
 */
public final class DirectSandbox {

    private static final GroupResource NAMESPACES = GroupResource.core("namespaces");
    private static final GroupResource DEFINITIONS =
            new GroupResource("apiextensions.k8s.io", "customresourcedefinitions");
    /** What the garbage collector takes away. */
    private static final Set<String> COLLECTED = Set.of("orphan", "foregroundDeletion");

    private static final int HISTORY = 16;

    private final Catalog catalog;
    private final MemoryStore store;
    private final FaultPlan faults = new FaultPlan();
    private final DirectServer server;
    private final InstantSource time;
    private final List<StoreEvent> waiting = new ArrayList<>();

    /**
     * A change of an object.
     *
     * <p>Immutable; the nodes are shared.
     *
     * @param resource plural name and group, as in {@code pods} and {@code deployments.apps}
     * @param object as it is now; for a deletion as it last was, with the resourceVersion of the deletion
     * @param previous as it was before; null when it was made
     */
    public record Change(
            String resource,
            boolean deleted,
            ObjectNode object,
            @Nullable ObjectNode previous) {}

    private DirectSandbox(InstantSource time) {
        this.time = time;
        this.store = new MemoryStore(HISTORY, Runnable::run);
        ServiceAddresses addresses = ServiceAddresses.of(store);
        Release release = Release.of(SandboxOptions.defaults().version());
        this.catalog = new Catalog(BuiltIn.resources(BuiltInKinds.of(addresses), release));
        store.onChange(new CustomResources(catalog, WebhookCalls.NONE)::changed);
        store.onChange(this::noteWaiting);
        ClusterClock clock = clock(time);
        Cluster cluster = new Cluster(catalog, store, nobodyHasASay(), clock, release);
        ServerIdentity identity = ServerIdentity.make(List.of(), false);
        ServiceAccountTokens tokens = new ServiceAccountTokens(store, identity.tokenKey(), clock);
        Access access = new Access(
                new Authenticator(identity.token(), false, new UserTokens(), tokens),
                new Unrestricted(),
                new TokenRequests(store, tokens, clock, release));
        this.server = new DirectServer(cluster, Verbs.of(cluster), access, faults);
    }

    /** @param time that the timestamps of objects are of */
    public static DirectSandbox create(InstantSource time) {
        return new DirectSandbox(time);
    }

    /**
     * Another with the same objects, managers of fields and resourceVersions; without the listeners and the faults.
     *
     * @param otherTime that the timestamps of its objects are of
     */
    public synchronized DirectSandbox copy(InstantSource otherTime) {
        DirectSandbox copy = new DirectSandbox(otherTime);
        copy.store.restore(new Past(store.revision(), store.everything(), List.of(), 0));
        return copy;
    }

    private static ClusterClock clock(InstantSource time) {
        return new ClusterClock() {
            @Override
            public Instant instant() {
                return time.instant();
            }

            @Override
            public Runnable after(Duration wait, Runnable task) {
                return () -> {};
            }
        };
    }

    private static AdmissionChain nobodyHasASay() {
        return new AdmissionChain() {
            @Override
            public Future<@Nullable ObjectNode> mutate(AdmissionAttributes attributes, @Nullable ObjectNode object) {
                return Future.succeededFuture(object);
            }

            @Override
            public Future<Void> validate(AdmissionAttributes attributes, @Nullable ObjectNode object) {
                return Future.succeededFuture();
            }
        };
    }

    /** Whether a kind is served, in this version. */
    public synchronized boolean serves(ResourceType type) {
        return resource(type).isPresent();
    }

    /**
     * Serves a custom kind, whatever fields its objects have.
     *
     * @param hasStatus whether {@code status} is a subresource
     */
    public synchronized void serve(ResourceType type, boolean hasStatus) {
        ObjectNode definition = JsonNodeFactory.instance.objectNode();
        ObjectNode spec = definition.putObject("spec").put("group", type.group());
        spec.putObject("names")
                .put("plural", type.plural())
                .put("kind", type.kind())
                .put("listKind", type.kind() + "List");
        spec.put("scope", type.namespaced() ? "Namespaced" : "Cluster");
        ObjectNode version = spec.putArray("versions")
                .addObject()
                .put("name", type.version())
                .put("served", true)
                .put("storage", true);
        version.putObject("schema")
                .putObject("openAPIV3Schema")
                .put("type", "object")
                .put("x-kubernetes-preserve-unknown-fields", true);
        if (hasStatus) {
            version.putObject("subresources").putObject("status");
        }
        serve(definition);
    }

    /**
     * Serves what a CustomResourceDefinition defines; its objects are defaulted, pruned and validated by its schema.
     *
     * @param definition a CustomResourceDefinition of {@code apiextensions.k8s.io/v1}; is changed
     */
    public synchronized void serve(ObjectNode definition) {
        String plural = definition.path("spec").path("names").path("plural").asText();
        String name = plural + "." + definition.path("spec").path("group").asText();
        definition.put("apiVersion", "apiextensions.k8s.io/v1").put("kind", "CustomResourceDefinition");
        definition.withObject("/metadata").put("name", name);
        ObjectNode status = definition.putObject("status");
        status.set("acceptedNames", definition.path("spec").path("names").deepCopy());
        status.putArray("conditions").addObject().put("type", "Established").put("status", "True");
        definition.path("spec").path("versions").forEach(version -> {
            if (version.path("storage").asBoolean()) {
                status.putArray("storedVersions").add(version.path("name").asText());
            }
        });
        write(DEFINITIONS, definition);
    }

    /**
     * Lays down an object as it is, status included, in place of the one of its name: nothing is validated. It gets the
     * defaults of its kind, and what it lacks of uid, creationTimestamp and generation; its namespace is made.
     *
     * @param object is not changed; its resourceVersion counts for nothing
     * @return as it is stored
     * @throws IllegalArgumentException when its kind is not served
     */
    public synchronized ObjectNode put(ResourceType type, ObjectNode object) {
        Resource resource = resource(type).orElseThrow(() -> notServed(type));
        ObjectNode laid = resource.rules().decode(object.deepCopy());
        String namespace = Metadata.of(laid).namespace();
        if (!namespace.isEmpty()) {
            makeNamespace(namespace);
        }
        return write(resource.storage(), laid);
    }

    /** Makes a namespace, unless it is there. */
    public synchronized void makeNamespace(String name) {
        if (store.shelf(NAMESPACES).get(ObjectKey.of(name)) == null) {
            ObjectNode made = JsonNodeFactory.instance.objectNode();
            made.put("apiVersion", "v1").put("kind", "Namespace");
            made.putObject("metadata").put("name", name);
            made.putObject("status").put("phase", "Active");
            write(NAMESPACES, made);
        }
    }

    private ObjectNode write(GroupResource storage, ObjectNode object) {
        Metadata metadata = Metadata.of(object);
        ObjectNode before = store.shelf(storage).get(metadata.key());
        Metadata known = before == null ? metadata : Metadata.of(before);
        if (metadata.uid().isEmpty()) {
            metadata.node().put("uid", known.uid().isEmpty() ? UUID.randomUUID().toString() : known.uid());
        }
        if (!metadata.node().hasNonNull("creationTimestamp")) {
            metadata.node()
                    .put(
                            "creationTimestamp",
                            known.node().path("creationTimestamp").asText(Metadata.time(time.instant())));
        }
        if (metadata.generation() == 0) {
            metadata.node().put("generation", Math.max(1, known.generation()));
        }
        return before == null
                ? store.create(storage, metadata.key(), object)
                : present(store.replace(storage, metadata.key(), before, object));
    }

    private static ObjectNode present(@Nullable ObjectNode written) {
        if (written == null) {
            throw new IllegalStateException("another thread has written the object");
        }
        return written;
    }

    /** Takes an object away at once, whatever it waits for. */
    public synchronized void remove(ResourceType type, ObjectKey key) {
        GroupResource storage =
                resource(type).orElseThrow(() -> notServed(type)).storage();
        ObjectNode before = store.shelf(storage).get(key);
        if (before != null) {
            store.remove(storage, key, before, before.deepCopy());
        }
    }

    public synchronized Optional<ObjectNode> get(ResourceType type, ObjectKey key) {
        return resource(type)
                .map(resource -> store.shelf(resource.storage()).get(key))
                .map(ObjectNode::deepCopy);
    }

    /** All of a kind, in the order of their namespaces and names. */
    public synchronized List<ObjectNode> list(ResourceType type) {
        return resource(type).stream()
                .flatMap(resource -> store.shelf(resource.storage()).objects("").values().stream())
                .map(ObjectNode::deepCopy)
                .toList();
    }

    /** The version of the latest change. */
    public synchronized String resourceVersion() {
        return Long.toString(store.revision());
    }

    /** Tells of each change from now on, within the write, on the thread that writes. */
    public synchronized void onChange(Consumer<Change> listener) {
        store.onChange(event -> listener.accept(new Change(
                event.resource().toString(),
                event.type() == StoreEvent.Type.DELETED,
                event.object(),
                event.previous())));
    }

    /** Plans a fault, which befalls requests from now on. One that delays does so by no time. */
    public InjectedFault inject(Fault fault) {
        return faults.inject(fault);
    }

    /**
     * Answers a request of the cluster's admin.
     *
     * @param uri path and query
     * @throws IOException when a fault has taken the answer; the request was carried out
     */
    public synchronized Answered answer(String method, String uri, Map<String, String> headers, byte[] body)
            throws IOException {
        try {
            return server.answer(method, uri, headers, body);
        } finally {
            collect();
        }
    }

    /** Lets go of what waits for the garbage collector alone; what it leaves behind stays. */
    private void collect() {
        for (StoreEvent event : List.copyOf(waiting)) {
            ObjectNode last = event.object().deepCopy();
            Metadata.of(last).finalizers(List.of());
            store.remove(event.resource(), event.key(), event.object(), last);
        }
        waiting.clear();
    }

    private void noteWaiting(StoreEvent event) {
        Metadata metadata = Metadata.of(event.object());
        List<String> finalizers = metadata.finalizers();
        if (metadata.deleting() && !finalizers.isEmpty() && COLLECTED.containsAll(finalizers)) {
            waiting.add(event);
        }
    }

    private Optional<Resource> resource(ResourceType type) {
        return catalog.find(type.group(), type.version(), type.plural());
    }

    private static IllegalArgumentException notServed(ResourceType type) {
        return new IllegalArgumentException("no kind " + type + " is served here");
    }
}

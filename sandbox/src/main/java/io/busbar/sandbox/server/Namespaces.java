package io.busbar.sandbox.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.common.ObjectKey;
import io.busbar.sandbox.clock.ClusterClock;
import io.busbar.sandbox.loop.KeyedLoop;
import io.busbar.sandbox.resource.Catalog;
import io.busbar.sandbox.resource.Resource;
import io.busbar.sandbox.status.StatusException;
import io.busbar.sandbox.storage.GroupResource;
import io.busbar.sandbox.storage.Metadata;
import io.busbar.sandbox.storage.ObjectStore;
import io.busbar.sandbox.storage.StoreEvent;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Furnishes a new namespace with what pods expect there, and clears one that is deleted.
 *
 * <p>One context.
 */
public final class Namespaces {

    private static final Logger log = LoggerFactory.getLogger(Namespaces.class);
    private static final GroupResource NAMESPACES = GroupResource.core("namespaces");
    private static final GroupResource ACCOUNTS = GroupResource.core("serviceaccounts");
    private static final GroupResource CONFIG_MAPS = GroupResource.core("configmaps");
    private static final Set<GroupResource> FURNITURE = Set.of(ACCOUNTS, CONFIG_MAPS);
    private static final String ROOT_CA = "kube-root-ca.crt";

    /** After which it is looked again what is left in a namespace. */
    private static final Duration AGAIN = Duration.ofSeconds(5);

    /** How many objects one task of the event loop deletes, which others have to wait for. */
    private static final int AT_ONCE = 10;

    private final Vertx vertx;
    private final ObjectStore store;
    private final Catalog catalog;
    private final Function<String, Future<?>> finalizer;
    private final String certificate;
    private final ClusterClock clock;
    private final KeyedLoop<String> clearing;

    /**
     * @param finalizer lets a namespace go that is empty
     * @param certificate of the server's CA, in PEM; empty without TLS
     */
    public Namespaces(
            Vertx vertx,
            ObjectStore store,
            Catalog catalog,
            Function<String, Future<?>> finalizer,
            String certificate,
            ClusterClock clock) {
        this.vertx = vertx;
        this.store = store;
        this.catalog = catalog;
        this.finalizer = finalizer;
        this.certificate = certificate;
        this.clock = clock;
        this.clearing = new KeyedLoop<>(vertx, clock, this::clear);
    }

    /** Nothing is begun any more; what is under way ends. */
    public void stop() {
        clearing.stop();
    }

    /** Makes the system's own, and watches over all. */
    public Future<Void> start() {
        store.watch(NAMESPACES, this::changed);
        store.watch(null, this::contentGone);
        List<Future<?>> made = new ArrayList<>();
        for (String name : List.of("default", "kube-system", "kube-public", "kube-node-lease")) {
            if (store.get(NAMESPACES, ObjectKey.of(name)) == null) {
                made.add(store.create(NAMESPACES, named("v1", "Namespace", "", name)));
            }
        }
        return Future.all(made).mapEmpty();
    }

    private void changed(StoreEvent event) {
        if (event.type() == StoreEvent.Type.DELETED) {
            return;
        }
        String name = event.key().name();
        if (Metadata.of(event.object()).deleting()) {
            clearing.now(name);
        } else if (event.type() == StoreEvent.Type.ADDED) {
            furnish(name);
        }
    }

    private void furnish(String namespace) {
        create(ACCOUNTS, named("v1", "ServiceAccount", namespace, "default"));
        ObjectNode trust = named("v1", "ConfigMap", namespace, ROOT_CA);
        trust.putObject("data").put("ca.crt", certificate);
        create(CONFIG_MAPS, trust);
    }

    private void create(GroupResource resource, ObjectNode object) {
        if (store.get(resource, Metadata.of(object).key()) != null) {
            return;
        }
        store.create(resource, object)
                .onFailure(failure -> log.atDebug()
                        .addKeyValue("resource", resource)
                        .addKeyValue("namespace", Metadata.of(object).namespace())
                        .log("a namespace could not be furnished: {}", failure.getMessage()));
    }

    private void contentGone(StoreEvent event) {
        String namespace = event.key().namespace();
        if (event.type() == StoreEvent.Type.DELETED && !namespace.isEmpty()) {
            ObjectNode owner = store.get(NAMESPACES, ObjectKey.of(namespace));
            if (owner != null && Metadata.of(owner).deleting()) {
                if (isEmpty(namespace)) {
                    clearing.now(namespace);
                }
            } else if (owner != null && FURNITURE.contains(event.resource())) {
                furnish(namespace);
            }
        }
    }

    private Future<@Nullable Duration> clear(String namespace) {
        ObjectNode object = store.get(NAMESPACES, ObjectKey.of(namespace));
        if (object == null || !holdsBack(object)) {
            return Future.succeededFuture();
        }
        ObjectNode withDependents = JsonNodeFactory.instance.objectNode().put("propagationPolicy", "Background");
        Deque<Supplier<Future<?>>> deletions = new ArrayDeque<>();
        for (GroupResource resource : namespaced()) {
            for (ObjectNode content : store.list(resource, namespace)) {
                if (!Metadata.of(content).deleting()) {
                    deletions.add(
                            () -> store.delete(resource, Metadata.of(content).key(), withDependents));
                }
            }
        }
        return inTurns(deletions)
                .compose(all -> tellWhatIsLeft(namespace))
                .compose(told -> isEmpty(namespace) ? finalizer.apply(namespace) : Future.succeededFuture())
                .<@Nullable Duration>map(done -> isEmpty(namespace) ? null : AGAIN)
                .otherwise(failure -> {
                    expected(failure);
                    return store.get(NAMESPACES, ObjectKey.of(namespace)) == null ? null : AGAIN;
                });
    }

    /** Completes when all were tried, whatever has become of them. */
    private Future<?> inTurns(Deque<Supplier<Future<?>>> deletions) {
        List<Future<?>> begun = new ArrayList<>();
        while (!deletions.isEmpty() && begun.size() < AT_ONCE) {
            begun.add(deletions.remove().get());
        }
        Future<?> ended = Future.join(begun).otherwiseEmpty();
        if (deletions.isEmpty()) {
            return ended;
        }
        Promise<Void> turn = Promise.promise();
        ended.onComplete(done -> vertx.runOnContext(others -> turn.complete()));
        return turn.future().compose(next -> inTurns(deletions));
    }

    /** Whether it still waits for this to clear it. */
    private static boolean holdsBack(ObjectNode namespace) {
        for (JsonNode finalizer : namespace.at("/spec/finalizers")) {
            if (finalizer.asText().equals("kubernetes")) {
                return Metadata.of(namespace).deleting();
            }
        }
        return false;
    }

    private Future<?> tellWhatIsLeft(String namespace) {
        Map<String, List<ObjectNode>> left = new TreeMap<>();
        for (GroupResource resource : namespaced()) {
            List<ObjectNode> objects = store.list(resource, namespace);
            if (!objects.isEmpty()) {
                left.put(resource.plural() + "." + resource.group(), objects);
            }
        }
        return store.updateStatus(NAMESPACES, ObjectKey.of(namespace), object -> {
            if (object != null) {
                NamespaceConditions.set(object, left, clock.instant());
            }
            return object;
        });
    }

    private boolean isEmpty(String namespace) {
        return namespaced().stream()
                .allMatch(resource -> store.list(resource, namespace).isEmpty());
    }

    /** Somebody else may have been quicker. */
    private static void expected(Throwable failure) {
        if (!(failure instanceof StatusException)) {
            log.atError().setCause(failure).log("a namespace could not be cleared");
        }
    }

    private List<GroupResource> namespaced() {
        return catalog.stored().stream()
                .filter(resource -> resource.type().namespaced())
                .map(Resource::storage)
                .toList();
    }

    private static ObjectNode named(String version, String kind, String namespace, String name) {
        ObjectNode object = JsonNodeFactory.instance.objectNode();
        object.put("kind", kind).put("apiVersion", version);
        ObjectNode metadata = object.putObject("metadata").put("name", name);
        if (!namespace.isEmpty()) {
            metadata.put("namespace", namespace);
        }
        return object;
    }
}

package io.busbar.testkit.memory;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.common.ObjectKey;
import io.busbar.common.ResourceType;
import io.busbar.common.bus.ResourceChanged;
import io.busbar.common.watch.Lister;
import io.busbar.common.watch.Listers;
import io.busbar.common.watch.WatchRequest;
import io.busbar.common.watch.WatchSpec;
import io.busbar.sandbox.DirectSandbox;
import io.busbar.sandbox.DirectSandbox.Change;
import io.busbar.sandbox.http.DirectServer.Answered;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * An API server in memory, a client of it, the watches of one controller, and what was asked and written.
 *
 * <p>Any thread; requests come one at a time, and a lock is held for each change. Several that share an API server: one
 * thread at a time.
 */
final class MemoryCluster implements Listers {

    private static final Pattern NAMESPACE = Pattern.compile("/namespaces/([^/]+)/");

    private final DirectSandbox sandbox;
    private final KubernetesClient client;
    private final KubernetesSerialization serialization;
    private final boolean watchesAny;
    private final Map<Class<?>, MemoryWatch<?>> watches = new LinkedHashMap<>();

    /** Locked while a request is under way. */
    private final List<String> requests = new ArrayList<>();

    private final List<Write> writes = new ArrayList<>();
    private BiConsumer<Class<? extends HasMetadata>, ResourceChanged> told = (type, change) -> {};
    private volatile Passage passage = (request, server) -> server.answer();
    private @Nullable String underWay;
    /** Whether the latest change was one of managedFields alone. */
    private boolean joined;

    private int turn;

    /**
     * What a request has changed.
     *
     * @param verb {@code create}, {@code apply}, {@code patch}, {@code update}, {@code status}, {@code delete}
     */
    record Write(String verb, ObjectNode object) {

        String kind() {
            return object.path("kind").asText();
        }

        boolean isOfSame(Write other) {
            return verb.equals(other.verb)
                    && object.path("metadata")
                            .path("uid")
                            .equals(other.object.path("metadata").path("uid"));
        }

        /**
         * @param home the namespace that goes without saying
         */
        String text(String home) {
            String namespace = object.path("metadata").path("namespace").asText("");
            String series = object.path("metadata").path("generateName").asText("");
            String name =
                    series.isEmpty() ? object.path("metadata").path("name").asText() : series + "*";
            return verb + " " + kind() + " " + (namespace.equals(home) || namespace.isEmpty() ? "" : namespace + "/")
                    + name;
        }
    }

    /**
     * @param watchesAny whether each type is watched that is asked for
     * @param home the namespace of requests that name none
     */
    MemoryCluster(InstantSource time, boolean watchesAny, String home) {
        this(DirectSandbox.create(time), watchesAny, home);
    }

    private MemoryCluster(DirectSandbox sandbox, boolean watchesAny, String home) {
        this.sandbox = sandbox;
        this.watchesAny = watchesAny;
        this.client = MemoryClient.of(this::answer, home);
        this.serialization = client.getKubernetesSerialization();
        sandbox.onChange(this::changed);
    }

    /** Another in the same state, of which nothing was asked yet; nothing is watched. */
    MemoryCluster copy(InstantSource time) {
        return new MemoryCluster(
                sandbox.copy(time), watchesAny, client.getConfiguration().getNamespace());
    }

    /** Another client of the same API server, with watches of its own, of which nothing was asked yet. */
    MemoryCluster beside() {
        return new MemoryCluster(sandbox, watchesAny, client.getConfiguration().getNamespace());
    }

    /** Ends all watches. */
    synchronized void stopWatching() {
        watches.clear();
    }

    void passThrough(Passage way) {
        passage = way;
    }

    /** Tells of what the watches have stored, from now on. */
    void onStored(BiConsumer<Class<? extends HasMetadata>, ResourceChanged> listener) {
        told = listener;
    }

    KubernetesClient client() {
        return client;
    }

    DirectSandbox sandbox() {
        return sandbox;
    }

    /** One request after the other; while one waits at the passage, others may change what is watched. */
    private Answered answer(String method, String uri, Map<String, String> headers, byte[] body) throws IOException {
        synchronized (requests) {
            return pass(method, uri, headers, body);
        }
    }

    private Answered pass(String method, String uri, Map<String, String> headers, byte[] body) throws IOException {
        String path = uri.replaceFirst("\\?.*", "");
        Matcher within = NAMESPACE.matcher(path);
        if (!method.equals("GET") && within.find()) {
            sandbox.makeNamespace(within.group(1));
        }
        try {
            Answered answered = passage.pass(
                    new Passage.Request(method, uri, new String(body, StandardCharsets.UTF_8)),
                    () -> carryOut(method, uri, headers, body));
            requests.add(method + " " + path + " " + answered.code());
            return answered;
        } catch (IOException lost) {
            requests.add(method + " " + path + " no answer");
            throw lost;
        }
    }

    private synchronized Answered carryOut(String method, String uri, Map<String, String> headers, byte[] body)
            throws IOException {
        underWay = verb(method, uri.replaceFirst("\\?.*", ""), headers.getOrDefault("Content-Type", ""));
        try {
            return sandbox.answer(method, uri, headers, body);
        } finally {
            underWay = null;
        }
    }

    private static String verb(String method, String path, String contentType) {
        if (path.endsWith("/status") && !method.equals("GET")) {
            return "status";
        }
        return switch (method) {
            case "POST" -> "create";
            case "PUT" -> "update";
            case "DELETE" -> "delete";
            default -> contentType.contains("apply") ? "apply" : "patch";
        };
    }

    private synchronized void changed(Change change) {
        if (underWay != null) {
            written(new Write(underWay, change.object()), change);
        }
        watches.values().forEach(watch -> watch.changed(change));
    }

    /**
     * Notes a write. That of managedFields alone is none: with it, the engine makes fields its own to apply that it has
     * created, and applies once more what it has just applied.
     */
    private void written(Write write, Change change) {
        ObjectNode before = change.previous();
        if (before != null && !change.deleted() && withoutRecords(before).equals(withoutRecords(change.object()))) {
            joined = true;
            return;
        }
        Write last = writes.isEmpty() ? null : writes.get(writes.size() - 1);
        if (joined && last != null && last.isOfSame(write)) {
            writes.remove(writes.size() - 1);
        }
        joined = false;
        writes.add(write);
    }

    private static ObjectNode withoutRecords(ObjectNode object) {
        ObjectNode copy = object.deepCopy();
        copy.withObject("/metadata").remove(List.of("managedFields", "resourceVersion"));
        return copy;
    }

    /** Serves a kind, unless it does: with any fields, if it is a custom one. */
    void serve(Class<? extends HasMetadata> type) {
        ResourceType resource = ResourceType.of(type);
        if (!sandbox.serves(resource)) {
            sandbox.serve(resource, true);
        }
    }

    /** Of several watches of one type, the first is read, as everywhere. */
    synchronized <T extends HasMetadata> void watch(WatchRequest<T> request) {
        Class<T> type = request.spec().type();
        if (watches.containsKey(type)) {
            return;
        }
        serve(type);
        MemoryWatch<T> watch = new MemoryWatch<>(
                request.spec(), request.indexes(), watchesAny, serialization, change -> told.accept(type, change));
        watches.put(type, watch);
        watch.turnBegins(turn);
        watch.begin(sandbox.list(request.spec().resource()), sandbox.resourceVersion());
    }

    @Override
    @SuppressWarnings("unchecked") // each is put there under its type
    public synchronized <T extends HasMetadata> Lister<T> lister(Class<T> type) {
        if (watchesAny) {
            watch(WatchRequest.readOnly(WatchSpec.of(type), List.of()));
        }
        MemoryWatch<?> watch = watches.get(type);
        if (watch == null) {
            throw new IllegalArgumentException(
                    "the controller has not declared a watch of " + type.getName() + ", only of " + watches.keySet());
        }
        return (Lister<T>) watch;
    }

    /** Does something to the watch of a type, or to all. */
    synchronized void watches(@Nullable Class<? extends HasMetadata> type, Consumer<MemoryWatch<?>> what) {
        if (type == null) {
            watches.values().forEach(what);
        } else {
            lister(type);
            Optional.ofNullable(watches.get(type)).ifPresent(what);
        }
    }

    synchronized void turnBegins() {
        turn++;
        watches.values().forEach(watch -> watch.turnBegins(turn));
    }

    synchronized <T extends HasMetadata> T put(T object) {
        serve(object.getClass());
        ObjectNode json = serialization.convertValue(object, ObjectNode.class);
        return typed(sandbox.put(ResourceType.of(object.getClass()), json), object);
    }

    @SuppressWarnings("unchecked") // an object's class is a class of its type
    private <T extends HasMetadata> T typed(ObjectNode json, T like) {
        return typed(json, (Class<T>) like.getClass());
    }

    <T extends HasMetadata> T typed(ObjectNode json, Class<T> type) {
        ObjectNode shown = JsonNodeFactory.instance.objectNode();
        shown.setAll(json);
        ObjectNode metadata = JsonNodeFactory.instance.objectNode();
        metadata.setAll((ObjectNode) json.path("metadata"));
        metadata.remove("managedFields");
        shown.set("metadata", metadata);
        return MemoryClient.typed(shown, type);
    }

    synchronized void remove(Class<? extends HasMetadata> type, ObjectKey key) {
        sandbox.remove(ResourceType.of(type), key);
    }

    List<String> requests() {
        synchronized (requests) {
            return List.copyOf(requests);
        }
    }

    synchronized List<Write> writes() {
        return List.copyOf(writes);
    }

    void forget() {
        synchronized (requests) {
            requests.clear();
        }
        synchronized (this) {
            writes.clear();
        }
    }
}

package io.busbar.sandbox.testkit;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What test classes put into a cluster, and take away again when they have made it.
 *
 * <p>Any thread; blocks.
 */
final class ClusterObjects {

    private static final Logger log = LoggerFactory.getLogger(ClusterObjects.class);
    private static final String NAMESPACES = "/api/v1/namespaces/";
    /** A server without controllers gives a namespace no account, nor does it ask for one. */
    private static final long ACCOUNT_MILLIS = 5_000;

    private static final long LONGEST_MILLIS = Wire.PATIENCE.toMillis();
    private static final long POLL_MILLIS = 10;

    private final Wire wire;
    private final Set<String> made = Collections.synchronizedSet(new LinkedHashSet<>());
    private final Set<String> left = new CopyOnWriteArraySet<>();

    ClusterObjects(Wire wire) {
        this.wire = wire;
    }

    /** Applies an object; when it is a definition, its resources can be used afterwards. */
    void apply(Manifest manifest) {
        String path = collection(manifest) + "/" + manifest.name();
        Wire.Answer answer = wire.send(
                "PATCH",
                path + "?fieldManager=kubernetes-sandbox&force=true",
                manifest.object().toString());
        if (answer.code() == 201) {
            made.add(path);
        } else if (answer.code() != 200) {
            throw manifest.problem("the server refuses it: " + answer.message());
        }
        if (manifest.isDefinition()) {
            awaitEstablished(manifest, path);
        }
    }

    private String collection(Manifest manifest) {
        String version = root(manifest.apiVersion());
        for (JsonNode resource : wire.get(version).body().path("resources")) {
            String plural = resource.path("name").asText();
            if (resource.path("kind").asText().equals(manifest.kind()) && plural.indexOf('/') < 0) {
                String namespace =
                        manifest.object().path("metadata").path("namespace").asText("");
                return version
                        + (resource.path("namespaced").asBoolean()
                                ? "/namespaces/" + (namespace.isEmpty() ? "default" : namespace)
                                : "")
                        + "/" + plural;
            }
        }
        throw manifest.problem(
                "the server has no such kind in " + manifest.apiVersion() + ": a CRD for it must come before, in crds");
    }

    private static String root(String apiVersion) {
        return (apiVersion.indexOf('/') < 0 ? "/api/" : "/apis/") + apiVersion;
    }

    private void awaitEstablished(Manifest manifest, String path) {
        List<JsonNode> latest = new ArrayList<>();
        boolean established = until(LONGEST_MILLIS, () -> {
            JsonNode conditions = wire.get(path).body().path("status").path("conditions");
            latest.clear();
            conditions.forEach(latest::add);
            return is("NamesAccepted", "False", latest) || is("Established", "True", latest);
        });
        if (!established || is("NamesAccepted", "False", latest)) {
            throw manifest.problem("it is not established: " + latest);
        }
        JsonNode spec = manifest.object().path("spec");
        String plural = spec.path("names").path("plural").asText();
        for (JsonNode version : spec.path("versions")) {
            String served = root(
                    spec.path("group").asText() + "/" + version.path("name").asText());
            if (version.path("served").asBoolean()
                    && !until(
                            LONGEST_MILLIS,
                            () -> wire.get(served)
                                            .body()
                                            .path("resources")
                                            .findValuesAsText("name")
                                            .contains(plural)
                                    && wire.get(served + "/" + plural + "?limit=1")
                                                    .code()
                                            == 200)) {
                throw manifest.problem("it is established, but " + served + "/" + plural + " is not served");
            }
        }
    }

    private static boolean is(String type, String status, List<JsonNode> conditions) {
        return conditions.stream()
                .anyMatch(condition -> condition.path("type").asText().equals(type)
                        && condition.path("status").asText().equals(status));
    }

    /** Makes one, ready for Pods. */
    void makeNamespace(String name) {
        Wire.Answer answer = wire.send("POST", NAMESPACES, named(name));
        if (answer.code() != 201) {
            throw new IllegalStateException("no namespace " + name + " for the test: " + answer.message());
        }
        until(
                ACCOUNT_MILLIS,
                () -> wire.get(NAMESPACES + name + "/serviceaccounts/default").code() == 200);
    }

    private static String named(String name) {
        var object = JsonNodeFactory.instance.objectNode();
        object.putObject("metadata").put("name", name);
        return object.toString();
    }

    /** Deletes one; it may take its time to go. */
    void leaveNamespace(String name) {
        wire.send("DELETE", NAMESPACES + name, "");
        left.add(NAMESPACES + name);
    }

    /** Takes away what was made here, once the namespaces of tests are gone. */
    void takeAway() {
        awaitGone(left);
        List<String> latestFirst;
        synchronized (made) {
            latestFirst = new ArrayList<>(made);
        }
        Collections.reverse(latestFirst);
        latestFirst.forEach(path -> wire.send("DELETE", path, "{\"propagationPolicy\":\"Background\"}"));
        awaitGone(latestFirst);
    }

    private void awaitGone(Iterable<String> paths) {
        for (String path : paths) {
            if (!until(LONGEST_MILLIS, () -> wire.get(path).code() == 404)) {
                log.atWarn().addKeyValue("path", path).log("what tests made does not go: finalizers may keep it");
            }
        }
    }

    private static boolean until(long longest, BooleanSupplier condition) {
        long since = System.nanoTime();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - since > longest * 1_000_000) {
                return false;
            }
            CompletableFuture.runAsync(() -> {}, CompletableFuture.delayedExecutor(POLL_MILLIS, TimeUnit.MILLISECONDS))
                    .join();
        }
        return true;
    }
}

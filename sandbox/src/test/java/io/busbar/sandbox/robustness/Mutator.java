package io.busbar.sandbox.robustness;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ContainerNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.Json;
import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/**
 * Makes requests that begin as good ones, and changes most of them in one place or more: path, query, headers, body.
 */
final class Mutator {

    private record Kind(String path, String sample) {}

    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private static final List<Kind> KINDS = List.of(
            new Kind(
                    "/api/v1/namespaces/default/configmaps",
                    "{apiVersion: 'v1', kind: 'ConfigMap', metadata: {labels: {a: 'b'}, annotations: {c: 'd'}}, data: {k: 'v'}, binaryData: {b: 'AAAA'}}"),
            new Kind(
                    "/api/v1/namespaces/default/secrets",
                    "{apiVersion: 'v1', kind: 'Secret', metadata: {}, type: 'Opaque', stringData: {k: 'v'}}"),
            new Kind(
                    "/api/v1/namespaces/default/services",
                    "{apiVersion: 'v1', kind: 'Service', metadata: {}, spec: {selector: {a: 'b'}, ports: [{name: 'web', port: 80, targetPort: 8080}]}}"),
            new Kind(
                    "/api/v1/namespaces/default/pods",
                    "{apiVersion: 'v1', kind: 'Pod', metadata: {labels: {a: 'b'}}, spec: {restartPolicy: 'Always', containers: [{name: 'c', image: 'x', ports: [{containerPort: 80}], env: [{name: 'E', value: 'f'}], resources: {limits: {cpu: '1'}}}], volumes: [{name: 'v', emptyDir: {}}]}}"),
            new Kind(
                    "/apis/apps/v1/namespaces/default/deployments",
                    "{apiVersion: 'apps/v1', kind: 'Deployment', metadata: {}, spec: {replicas: 1, selector: {matchLabels: {a: 'b'}}, template: {metadata: {labels: {a: 'b'}}, spec: {containers: [{name: 'c', image: 'x'}]}}}}"),
            new Kind(
                    "/apis/coordination.k8s.io/v1/namespaces/default/leases",
                    "{apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: {}, spec: {holderIdentity: 'me', leaseDurationSeconds: 15, renewTime: '2026-01-01T00:00:00.000000Z'}}"),
            new Kind(
                    "/api/v1/namespaces/default/events",
                    "{apiVersion: 'v1', kind: 'Event', metadata: {}, involvedObject: {kind: 'Pod', namespace: 'default', name: 'p'}, reason: 'R', message: 'm', type: 'Normal'}"),
            new Kind(
                    "/apis/test.busbar.io/v1/namespaces/default/widgets",
                    "{apiVersion: 'test.busbar.io/v1', kind: 'Widget', metadata: {}, spec: {size: 3, port: 'http', parts: [{name: 'p', weight: 1}], tags: ['t'], free: {any: [1, 'x']}}}"));

    private static final List<String> QUERIES = List.of(
            "limit=2",
            "limit=-1",
            "limit=x",
            "limit=99999999999999999999",
            "continue=garbage",
            "continue=eyJ2IjoxfQ",
            "labelSelector=a%3Db",
            "labelSelector=a+in+(b,c)",
            "labelSelector=((",
            "labelSelector=!",
            "fieldSelector=metadata.name%3Dn-1",
            "fieldSelector=spec.nodeName",
            "fieldSelector=nothing%3D1",
            "resourceVersion=0",
            "resourceVersion=1",
            "resourceVersion=-1",
            "resourceVersion=99999999",
            "resourceVersion=x",
            "resourceVersionMatch=Exact",
            "resourceVersionMatch=NotOlderThan&resourceVersion=1",
            "dryRun=All",
            "dryRun=x",
            "dryRun=All&dryRun=All",
            "fieldManager=me",
            "fieldManager=" + "m".repeat(200),
            "force=true",
            "force=maybe",
            "fieldValidation=Strict",
            "fieldValidation=Warn",
            "fieldValidation=x",
            "propagationPolicy=Orphan",
            "propagationPolicy=Foreground",
            "propagationPolicy=x",
            "gracePeriodSeconds=0",
            "gracePeriodSeconds=-5",
            "gracePeriodSeconds=x",
            "orphanDependents=true",
            "pretty=true",
            "watch=true&timeoutSeconds=1",
            "watch=1&resourceVersion=1",
            "watch=true&sendInitialEvents=true",
            "timeoutSeconds=x",
            "sendInitialEvents=true",
            "%zz=1",
            "=",
            "&&",
            "a=%ff%fe",
            "\u00e9=\u00e9");

    private static final List<String> ACCEPTS = List.of(
            "application/json",
            "application/yaml",
            "*/*",
            "text/html",
            "application/json;as=Table;g=meta.k8s.io;v=v1",
            "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1",
            "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1",
            "application/json;as=Nonsense;g=meta.k8s.io;v=v1",
            ";;;",
            ",",
            "application/vnd.kubernetes.protobuf");

    private static final List<String> TYPES = List.of(
            "application/json",
            "application/yaml",
            "application/vnd.kubernetes.protobuf",
            "application/json-patch+json",
            "application/merge-patch+json",
            "application/strategic-merge-patch+json",
            "application/apply-patch+yaml",
            "text/plain",
            ";",
            "");

    private static final List<String> SEGMENTS = List.of(
            "",
            "..",
            ".",
            "%2e%2e",
            "%2F",
            "%00",
            "%zz",
            "%",
            "a b".replace(" ", "%20"),
            "n-1",
            "status",
            "scale",
            "eviction",
            "binding",
            "finalize",
            "namespaces",
            "default",
            "kube-system",
            "v1",
            "v2",
            "apps",
            "pods",
            "watch",
            "api",
            "apis",
            "openapi",
            "x".repeat(3000),
            "UPPER",
            "-",
            "\u00fc",
            "nodes",
            "deployments",
            "customresourcedefinitions",
            "apiextensions.k8s.io");

    private final Random random;

    Mutator(long seed) {
        this.random = new Random(seed);
    }

    MutatedRequest next() {
        Kind kind = one(KINDS);
        String name = "n-" + random.nextInt(20);
        ObjectNode object = Json.object(kind.sample());
        object.withObject("/metadata").put("name", name);
        MutatedRequest good = switch (random.nextInt(12)) {
            case 0, 1, 2, 3 -> request("POST", kind.path(), "application/json", object);
            case 4, 5 -> request("PUT", kind.path() + "/" + name, "application/json", object);
            case 6 -> request("PATCH", kind.path() + "/" + name, "application/merge-patch+json", object);
            case 7 -> request("PATCH", kind.path() + "/" + name, "application/json-patch+json", jsonPatch());
            case 8 -> request("PATCH", kind.path() + "/" + name, "application/apply-patch+yaml", object);
            case 9 ->
                request("PATCH", kind.path() + "/" + name + part(), "application/strategic-merge-patch+json", object);
            case 10 ->
                request(
                        random.nextInt(4) == 0 ? "HEAD" : "GET",
                        kind.path() + (random.nextBoolean() ? "" : "/" + name + part()),
                        "",
                        NODES.missingNode());
            default ->
                request(
                        "DELETE",
                        kind.path() + (random.nextInt(30) == 0 ? "" : "/" + name),
                        "application/json",
                        random.nextBoolean()
                                ? NODES.missingNode()
                                : Json.object(
                                        "{kind: 'DeleteOptions', apiVersion: 'v1', gracePeriodSeconds: 0, propagationPolicy: 'Background', preconditions: {}}"));
        };
        return good;
    }

    private MutatedRequest request(String method, String path, String type, JsonNode content) {
        JsonNode body = random.nextInt(3) > 0 ? content : mutated(content);
        byte[] bytes = body.isMissingNode() ? new byte[0] : body.toString().getBytes(StandardCharsets.UTF_8);
        List<String> headers = new ArrayList<>();
        headers.add("Content-Type: " + (random.nextInt(12) == 0 ? one(TYPES) : type));
        if (random.nextInt(4) == 0) {
            headers.add("Accept: " + one(ACCEPTS));
        }
        String target = random.nextInt(10) == 0 ? otherPath(path) : path;
        String query = type.contains("apply") ? "?fieldManager=me&" : "?";
        for (int i = random.nextInt(4) == 0 ? 1 + random.nextInt(2) : 0; i > 0; i--) {
            query += one(QUERIES) + "&";
        }
        return new MutatedRequest(
                method, target + query, headers, Buffer.buffer(random.nextInt(8) == 0 ? garbled(bytes) : bytes));
    }

    private String part() {
        return random.nextInt(5) == 0 ? "/" + one(List.of("status", "scale", "ephemeralcontainers", "x")) : "";
    }

    private JsonNode jsonPatch() {
        ArrayNode patch = NODES.arrayNode();
        for (int i = 0; i < 3; i++) {
            String path = one(List.of(
                    "/data/k",
                    "/metadata/labels/a",
                    "/spec",
                    "/spec/parts/0",
                    "/spec/parts/-",
                    "/metadata/name",
                    "",
                    "/~2",
                    "/a/b/c"));
            patch.addObject()
                    .put("op", one(List.of("add", "remove", "replace", "move", "copy", "test", "x")))
                    .put("path", path)
                    .put("from", one(List.of("/data", "/spec", "/metadata/labels", "/none")))
                    .set("value", value(2));
        }
        return patch;
    }

    private String otherPath(String path) {
        List<String> segments = new ArrayList<>(Arrays.asList(path.split("/", -1)));
        int at = random.nextInt(segments.size());
        switch (random.nextInt(3)) {
            case 0 -> segments.set(at, one(SEGMENTS));
            case 1 -> segments.add(at, one(SEGMENTS));
            default -> segments.remove(at);
        }
        String joined = String.join("/", segments);
        return joined.startsWith("/") ? joined : "/" + joined;
    }

    /** Changes one place of a document, at any depth. */
    private JsonNode mutated(JsonNode document) {
        if (!(document instanceof ContainerNode<?>) || random.nextInt(20) == 0) {
            return value(2);
        }
        JsonNode copy = document.deepCopy();
        ContainerNode<?> place = (ContainerNode<?>) copy;
        while (random.nextInt(4) > 0) {
            List<ContainerNode<?>> inner = new ArrayList<>();
            place.forEach(child -> {
                if (child instanceof ContainerNode<?> container && !container.isEmpty()) {
                    inner.add(container);
                }
            });
            if (inner.isEmpty()) {
                break;
            }
            place = one(inner);
        }
        if (place instanceof ObjectNode object) {
            change(object);
        } else if (place instanceof ArrayNode array) {
            change(array);
        }
        return copy;
    }

    private void change(ObjectNode object) {
        List<String> names = new ArrayList<>();
        object.fieldNames().forEachRemaining(names::add);
        String name = names.isEmpty() ? "new" : one(names);
        switch (random.nextInt(4)) {
            case 0 -> object.remove(name);
            case 1 ->
                object.set(
                        one(List.of(
                                "unknown",
                                "",
                                "a/b",
                                "~",
                                "finalizers",
                                "ownerReferences",
                                "managedFields",
                                "uid",
                                "resourceVersion",
                                "deletionTimestamp",
                                "status",
                                "generateName",
                                "x".repeat(300))),
                        value(3));
            default -> object.set(name, value(3));
        }
    }

    private void change(ArrayNode array) {
        int at = random.nextInt(Math.max(1, array.size()));
        if (!array.isEmpty() && random.nextBoolean()) {
            array.add(array.get(at).deepCopy());
        } else {
            array.insert(at, value(3));
        }
    }

    private JsonNode value(int depth) {
        return switch (random.nextInt(depth > 0 ? 12 : 9)) {
            case 0 -> NODES.nullNode();
            case 1 -> NODES.numberNode(random.nextInt(5) - 2);
            case 2 -> NODES.numberNode(Long.MAX_VALUE);
            case 3 -> NODES.numberNode(1.5e300);
            case 4 -> NODES.booleanNode(random.nextBoolean());
            case 5 -> NODES.textNode("");
            case 6 ->
                NODES.textNode(one(List.of(
                        "a",
                        "Not Valid!",
                        "\u0000",
                        "\uD83D\uDE00",
                        "-1",
                        "2026-01-01T00:00:00Z",
                        "foregroundDeletion",
                        "orphan")));
            case 7 -> NODES.textNode("long".repeat(100));
            case 8 -> NODES.objectNode();
            case 9 -> nested(1 + random.nextInt(200));
            case 10 -> NODES.arrayNode().add(value(depth - 1)).add(value(depth - 1));
            default -> NODES.objectNode().set(one(List.of("a", "name", "k", "")), value(depth - 1));
        };
    }

    private static JsonNode nested(int depth) {
        JsonNode nested = NODES.textNode("deep");
        for (int i = 0; i < depth; i++) {
            nested = NODES.objectNode().set("d", nested);
        }
        return nested;
    }

    private byte[] garbled(byte[] bytes) {
        if (bytes.length == 0) {
            return "{".getBytes(StandardCharsets.US_ASCII);
        }
        byte[] copy = bytes.clone();
        switch (random.nextInt(3)) {
            case 0 -> {
                return Arrays.copyOf(copy, random.nextInt(copy.length));
            }
            case 1 -> copy[random.nextInt(copy.length)] = (byte) random.nextInt(256);
            default -> {
                int at = random.nextInt(copy.length);
                System.arraycopy(bytes, at, copy, 0, copy.length - at);
            }
        }
        return copy;
    }

    private <T> T one(List<T> of) {
        return of.get(random.nextInt(of.size()));
    }
}

package io.busbar.sandbox.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.JsonSerializable;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.resource.Resource;
import io.busbar.sandbox.status.StatusException;
import io.busbar.sandbox.syntax.GoText;
import io.busbar.sandbox.table.Tables;
import io.busbar.sandbox.verbs.Page;
import java.util.List;
import java.util.Set;

/**
 * Puts objects and lists into the form that the client accepts.
 *
 * <p>Any thread.
 */
final class Renderer {

    private static final String META = "meta.k8s.io/";

    private final Tables tables;
    private final boolean optOut;

    /** @param optOut whether managedFields are left out for who asks for that */
    Renderer(Tables tables, boolean optOut) {
        this.tables = tables;
        this.optOut = optOut;
    }

    /** Whether the client gets no managedFields. */
    boolean drops(Call call) {
        return optOut && call.accept().drops();
    }

    private ObjectNode sent(Call call, ObjectNode object) {
        return drops(call) ? withoutManagedFields(object) : object;
    }

    /** The object itself, if it has none; else a copy that shares the rest with it. */
    static ObjectNode withoutManagedFields(ObjectNode object) {
        if (!(object.get("metadata") instanceof ObjectNode metadata) || !metadata.has("managedFields")) {
            return object;
        }
        ObjectNode rest = object.objectNode();
        rest.setAll(metadata);
        rest.remove("managedFields");
        ObjectNode copy = object.objectNode();
        copy.setAll(object);
        copy.set("metadata", rest);
        return copy;
    }

    JsonNode render(Call call, Reply.OfObject reply) {
        return switch (call.accept().as()) {
            case "Table" ->
                tables.render(
                        reply.resource().rules().columns(),
                        List.of(reply.object()),
                        listMetadata(reply.object().path("metadata")),
                        include(call),
                        true);
            case "PartialObjectMetadata" ->
                partial(sent(call, reply.object()), call.accept().version());
            case "PartialObjectMetadataList" ->
                throw StatusException.notAcceptable(
                        "you requested PartialObjectMetadataList, but the requested object is not a list ("
                                + goType(reply.resource(), false) + ")");
            default -> sent(call, reply.object());
        };
    }

    JsonSerializable render(Call call, Reply.OfPage reply) {
        Page page = reply.page();
        List<ObjectNode> items =
                page.items().stream().map(item -> sent(call, item)).toList();
        ObjectNode metadata = listMetadata(page);
        if (!call.accept().isPlain()) {
            metadata.remove("shardInfo"); // what kube-apiserver makes of a list it does not tell of
        }
        if (call.accept().as().equals("Table")) {
            return tables.render(reply.resource().rules().columns(), page.items(), metadata, include(call), true);
        }
        if (call.accept().as().equals("PartialObjectMetadata")) {
            throw StatusException.notAcceptable(
                    "you requested PartialObjectMetadata, but the requested object is a list ("
                            + goType(reply.resource(), true) + ")");
        }
        if (call.accept().as().equals("PartialObjectMetadataList")) {
            String version = call.accept().version();
            List<ObjectNode> partial =
                    items.stream().map(item -> partial(item, version)).toList();
            return new ObjectList("PartialObjectMetadataList", META + version, metadata, partial, Set.of());
        }
        boolean custom = reply.resource().custom() != null;
        if (custom && !metadata.has("continue")) {
            metadata.put("continue", "");
        }
        return new ObjectList(
                reply.resource().listKind(),
                reply.resource().type().apiVersion(),
                metadata,
                items,
                custom ? Set.of() : Set.of("kind", "apiVersion"));
    }

    /** What a watch sends of an object. */
    JsonNode event(Call call, Resource resource, ObjectNode object, boolean first) {
        return switch (call.accept().as()) {
            case "Table" ->
                tables.render(
                        resource.rules().columns(),
                        List.of(object),
                        listMetadata(object.path("metadata")),
                        include(call),
                        first);
            case "PartialObjectMetadata", "PartialObjectMetadataList" ->
                partial(sent(call, object), call.accept().version());
            default -> sent(call, object);
        };
    }

    private static ObjectNode partial(ObjectNode object, String version) {
        ObjectNode partial = object.objectNode();
        partial.put("kind", "PartialObjectMetadata").put("apiVersion", META + version);
        partial.set("metadata", object.path("metadata"));
        return partial;
    }

    private static ObjectNode listMetadata(JsonNode metadata) {
        return JsonNodeFactory.instance
                .objectNode()
                .put("resourceVersion", metadata.path("resourceVersion").asText());
    }

    static ObjectNode listMetadata(Page page) {
        ObjectNode metadata =
                JsonNodeFactory.instance.objectNode().put("resourceVersion", Long.toString(page.revision()));
        if (!page.continuation().isEmpty()) {
            metadata.put("continue", page.continuation());
        }
        if (page.remaining() > 0) {
            metadata.put("remainingItemCount", page.remaining());
        }
        if (page.shard() != null) {
            metadata.putObject("shardInfo").put("selector", page.shard().text());
        }
        return metadata;
    }

    /** @throws StatusException 400 for what rows do not have */
    static String include(Call call) {
        String include = call.parameter("includeObject");
        if (!List.of("", "None", "Metadata", "Object").contains(include)) {
            throw StatusException.badRequest("Unable to convert to Table as requested: includeObject: Invalid value: "
                    + GoText.quote(include) + ": must be 'Metadata', 'Object', 'None', or empty");
        }
        return include.isEmpty() ? "Metadata" : include;
    }

    /** What the real server says of the form in which it has an object. */
    private static String goType(Resource resource, boolean list) {
        if (resource.custom() != null) {
            return "*unstructured.Unstructured" + (list ? "List" : "");
        }
        String group = resource.type().group();
        return "*" + (group.isEmpty() ? "core" : group.split("\\.", 2)[0]) + "."
                + (list ? resource.listKind() : resource.type().kind());
    }
}

package io.busbar.sandbox.controller.revision;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.controller.Claims;
import io.busbar.sandbox.controller.ControllerContext;
import io.busbar.sandbox.controller.Kind;
import io.busbar.sandbox.controller.OwnerReferences;
import io.busbar.sandbox.controller.Pods;
import io.busbar.sandbox.controller.Templates;
import io.busbar.sandbox.controller.Writes;
import io.busbar.sandbox.select.LabelSelector;
import io.busbar.sandbox.status.StatusException;
import io.busbar.sandbox.storage.Metadata;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * Keeps a numbered revision of each template that an object had, and those that another one of its selector has left.
 *
 * <p>One context.
 *
 * @param owner the kind of the objects
 * @param selector of an object
 * @param hashLabel of a revision, with the hash that its name ends with
 */
public record RevisionHistory(
        ControllerContext context, Kind owner, Function<ObjectNode, LabelSelector> selector, String hashLabel) {

    /** Makes the revision of the template, or gives it the highest number when there is an equal one. */
    public Future<History> settle(ObjectNode object) {
        return new Claims(context, owner, Kind.REVISION, context.owned().revisions())
                .settle(object, selector.apply(object))
                .compose(own -> numbered(object));
    }

    private Future<History> numbered(ObjectNode object) {
        List<ObjectNode> all = all(object);
        int next = all.isEmpty() ? 1 : History.number(all.get(all.size() - 1)) + 1;
        ObjectNode data = data(object);
        int collisions = object.path("status").path("collisionCount").asInt();
        Optional<ObjectNode> equal = all.stream()
                .filter(revision -> revision.path("data").equals(data))
                .reduce((older, newer) -> newer);
        if (equal.isEmpty()) {
            return create(object, data, next, collisions);
        }
        boolean last = History.number(equal.get()) == next - 1;
        Future<ObjectNode> numbered = last
                ? Future.succeededFuture(equal.get())
                : Writes.of(context).update(Kind.REVISION, equal.get(), revision -> revision.put("revision", next));
        return numbered.map(update -> new History(all(object), update, collisions));
    }

    /** Deletes the oldest that nothing lives by, beyond the number to keep. */
    public Future<Void> forget(ObjectNode object, History history, Set<String> living) {
        int keep = object.path("spec").path("revisionHistoryLimit").asInt(10);
        List<ObjectNode> past = history.all().stream()
                .filter(revision -> !living.contains(Metadata.of(revision).name()))
                .toList();
        List<Future<?>> gone = new ArrayList<>();
        past.subList(0, Math.max(0, past.size() - keep))
                .forEach(revision -> gone.add(Writes.of(context).delete(Kind.REVISION, revision, "")));
        return Future.all(gone).mapEmpty();
    }

    private List<ObjectNode> all(ObjectNode object) {
        return context.owned().revisions().of(Metadata.of(object).uid()).stream()
                .sorted(Comparator.comparingInt(History::number).thenComparing(Pods.byAge()))
                .toList();
    }

    private Future<History> create(ObjectNode object, ObjectNode data, int number, int collisions) {
        ObjectNode revision = revision(object, data, number, collisions);
        return context.store()
                .create(Kind.REVISION.resource(), revision)
                .map(made -> new History(all(object), made, collisions))
                .recover(failure -> failure instanceof StatusException refused
                                && refused.reason().equals("AlreadyExists")
                        ? create(object, data, number, collisions + 1)
                        : Future.failedFuture(failure));
    }

    private ObjectNode revision(ObjectNode object, ObjectNode data, int number, int collisions) {
        JsonNode template = object.path("spec").path("template");
        String hash = Templates.hash(template, collisions);
        ObjectNode revision = JsonNodeFactory.instance.objectNode();
        revision.put("kind", Kind.REVISION.name()).put("apiVersion", Kind.REVISION.apiVersion());
        ObjectNode metadata = revision.putObject("metadata");
        metadata.put("name", Metadata.of(object).name() + "-" + hash);
        metadata.put("namespace", Metadata.of(object).namespace());
        ObjectNode labels = metadata.putObject("labels");
        if (template.path("metadata").path("labels") instanceof ObjectNode own) {
            labels.setAll(own);
        }
        labels.put(hashLabel, hash);
        JsonNode annotations = object.path("metadata").path("annotations");
        if (!annotations.isEmpty()) {
            metadata.set("annotations", annotations.deepCopy());
        }
        OwnerReferences.control(revision, object, owner);
        revision.set("data", data);
        return revision.put("revision", number);
    }

    /** A strategic merge patch that brings the template back. */
    private static ObjectNode data(ObjectNode object) {
        ObjectNode data = JsonNodeFactory.instance.objectNode();
        ObjectNode template = data.putObject("spec").putObject("template");
        if (object.path("spec").path("template") instanceof ObjectNode own) {
            template.setAll(own.deepCopy());
        }
        template.put(History.PATCH, "replace");
        return data;
    }
}

package io.busbar.sandbox.http;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.auth.Access;
import io.busbar.sandbox.faults.Lags;
import io.busbar.sandbox.request.DeleteOptions;
import io.busbar.sandbox.request.Target;
import io.busbar.sandbox.request.WriteOptions;
import io.busbar.sandbox.resource.CustomVersion;
import io.busbar.sandbox.resource.Resource;
import io.busbar.sandbox.status.StatusException;
import io.busbar.sandbox.storage.GroupResource;
import io.busbar.sandbox.verbs.Cluster;
import io.busbar.sandbox.verbs.Deleted;
import io.busbar.sandbox.verbs.Kinds;
import io.busbar.sandbox.verbs.ListQuery;
import io.busbar.sandbox.verbs.Revision;
import io.busbar.sandbox.verbs.Verbs;
import io.busbar.sandbox.verbs.Written;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * From method and URL to a verb, and from its outcome to an answer.
 *
 * <p>One context.
 */
final class ResourceRoutes {

    /** Kinds whose deletion answers with the object, not with a Status (their registries' ReturnDeletedObject). */
    private static final Set<GroupResource> ANSWERED_WITH_OBJECT = Set.of(
            GroupResource.core("pods"),
            GroupResource.core("podtemplates"),
            GroupResource.core("persistentvolumes"),
            GroupResource.core("persistentvolumeclaims"),
            GroupResource.core("resourcequotas"),
            GroupResource.core("serviceaccounts"),
            GroupResource.core("services"),
            new GroupResource("storage.k8s.io", "csidrivers"),
            new GroupResource("storage.k8s.io", "csinodes"),
            new GroupResource("storage.k8s.io", "storageclasses"),
            new GroupResource("storage.k8s.io", "volumeattachments"),
            new GroupResource("storage.k8s.io", "volumeattributesclasses"));

    /** @param minor of the release that says so first */
    private record Deprecation(int minor, String words) {}

    private static final Map<GroupResource, Deprecation> DEPRECATED = Map.of(
            GroupResource.core("componentstatuses"),
            new Deprecation(19, "v1 ComponentStatus is deprecated in v1.19+"),
            GroupResource.core("endpoints"),
            new Deprecation(33, "v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice"));

    private final Cluster cluster;
    private final Verbs verbs;
    private final Subresources subresources;
    private final ReviewAnswers reviews;
    private final Lags lags;
    private final Gate gate;
    private final ListRequests lists;

    ResourceRoutes(Cluster cluster, Verbs verbs, Access access, Gate gate, Lags lags, ListRequests lists) {
        this.lags = lags;
        this.lists = lists;
        this.gate = gate;
        this.cluster = cluster;
        this.verbs = verbs;
        this.subresources = new Subresources(cluster, verbs, access.tokenRequests(), gate);
        this.reviews = new ReviewAnswers(access);
    }

    /** What a client is told that uses a built-in kind which has a successor. */
    Optional<String> deprecation(Target target) {
        return Optional.ofNullable(DEPRECATED.get(target.resource().named()))
                .filter(deprecation -> cluster.release().since(deprecation.minor()))
                .map(Deprecation::words);
    }

    /**
     * @throws RuntimeException when nothing is served there: one of what the server does not know, or has no page for
     */
    Target target(RequestPath path) {
        Resource resource = cluster.catalog()
                .find(path.group(), path.version(), path.plural())
                .orElseThrow(() -> nothingAt(path));
        boolean namespaced = !path.namespace().isEmpty();
        if (namespaced && !resource.type().namespaced()) {
            throw nothingAt(path);
        }
        if (!namespaced && resource.type().namespaced() && !path.name().isEmpty()) {
            throw nothingAt(path);
        }
        if (!path.subresource().isEmpty() && !resource.subresources().contains(path.subresource())) {
            throw resource.custom() == null
                    ? StatusException.unknownResource()
                    : StatusException.notFound(resource.named(), path.name());
        }
        return new Target(resource, path.namespace(), path.name(), path.subresource());
    }

    private RuntimeException nothingAt(RequestPath path) {
        return Discovery.comesWithTheServer(cluster.catalog(), path.group())
                ? StatusException.unknownResource()
                : new NoSuchPage();
    }

    /** Anything but a watch. */
    Future<Reply> answer(Call call, Target target) {
        if (!target.subresource().isEmpty()) {
            return subresources.answer(call, target);
        }
        String verb = verb(call, target);
        if (!target.resource().verbs().contains(verb)) {
            throw StatusException.methodNotAllowed();
        }
        return switch (verb) {
            case "get" -> get(call, target);
            case "list" -> list(call, target);
            case "create" -> create(call, target);
            case "update" -> update(call, target);
            case "patch" -> patch(call, target);
            case "delete" -> delete(call, target);
            default -> deleteCollection(call, target);
        };
    }

    private Future<Reply> get(Call call, Target target) {
        String asked = call.parameter("resourceVersion");
        long revision =
                Math.max(Revision.parse(asked), lags.readable(target.resource().storage(), asked));
        return verbs.reads().get(target, revision).map(object -> object(200, target, object));
    }

    private Future<Reply> list(Call call, Target target) {
        ListQuery query = lists.query(call, target);
        long revision = lags.readable(target.resource().storage(), query.resourceVersion());
        return verbs.reads().list(target, query, revision).map(page -> new Reply.OfPage(200, target.resource(), page));
    }

    private static String verb(Call call, Target target) {
        boolean collection = target.name().isEmpty();
        boolean anywhere =
                target.resource().type().namespaced() && target.namespace().isEmpty();
        return switch (call.method().name()) {
            case "GET", "HEAD" -> collection ? "list" : "get";
            case "POST" -> allowed(collection && !anywhere, "create");
            case "PUT" -> allowed(!collection, "update");
            case "PATCH" -> allowed(!collection, "patch");
            case "DELETE" -> collection ? allowed(!anywhere, "deletecollection") : "delete";
            default -> throw StatusException.methodNotAllowed();
        };
    }

    private static String allowed(boolean fits, String verb) {
        if (!fits) {
            throw StatusException.methodNotAllowed();
        }
        return verb;
    }

    private Future<Reply> create(Call call, Target target) {
        WriteOptions options = call.writeOptions("CreateOptions");
        ObjectNode body = Bodies.object(call, target.resource(), options);
        CustomVersion custom = target.resource().custom();
        if (custom != null && custom.ending()) {
            throw StatusException.forbidden(
                    target.resource().named(),
                    body.path("metadata").path("name").asText(""),
                    "create not allowed while custom resource definition is terminating");
        }
        if (!target.resource().stored()) {
            return submit(call, target, options, body);
        }
        return verbs.creates().create(target, options, body).map(object -> object(201, target, object));
    }

    /** What is not kept: a Binding is carried out, the rest are questions. */
    private Future<Reply> submit(Call call, Target target, WriteOptions options, ObjectNode body) {
        Resource resource = target.resource();
        if (resource.type().kind().equals("Binding")) {
            String name = body.path("metadata").path("name").asText();
            if (name.isEmpty()) {
                throw StatusException.badRequest("Name parameter required.");
            }
            Target named = target.named(name);
            Target pod = cluster.catalog()
                    .stored(GroupResource.core("pods"))
                    .map(pods -> new Target(pods, named.namespace(), named.name(), "binding"))
                    .orElseThrow();
            return verbs.bindings().bind(named, pod, options, body).map(bound -> Subresources.success());
        }
        return verbs.submissions()
                .submit(
                        target,
                        options,
                        Kinds.of(resource),
                        body,
                        asked -> {},
                        asked -> review(call, target, options, asked));
    }

    private Future<Reply> review(Call call, Target target, WriteOptions options, ObjectNode asked) {
        return verbs.creates().owners(target, options, asked).map(owners -> {
            ObjectNode answer = reviews.answer(target, asked, call.caller());
            if (!owners.isEmpty()) {
                answer.withObject("/metadata").set("managedFields", owners);
            }
            return object(201, target, answer);
        });
    }

    private Future<Reply> update(Call call, Target target) {
        WriteOptions options = call.writeOptions("UpdateOptions");
        ObjectNode body = Bodies.object(call, target.resource(), options);
        if (target.resource().rules().createsOnUpdate()
                && cluster.store().shelf(target.resource().storage()).get(target.key()) == null) {
            gate.checkCreate(call.caller(), target);
            return verbs.creates().createAt(target, options, body).map(object -> object(201, target, object));
        }
        return verbs.updates().replace(target, options, body).map(object -> object(200, target, object));
    }

    private Future<Reply> patch(Call call, Target target) {
        return subresources.patched(call, target).map(written -> reply(target, written));
    }

    private static Reply reply(Target target, Written written) {
        return object(written.created() ? 201 : 200, target, written.object());
    }

    private Future<Reply> delete(Call call, Target target) {
        DeleteOptions how = deleteOptions(call);
        return verbs.deletes()
                .delete(target, call.writeOptions(how), how)
                .map(deleted -> reply(!deleted.gone() && how.cascades() ? 202 : 200, target, deleted));
    }

    private static Reply reply(int code, Target target, Deleted deleted) {
        if (!deleted.gone() || ANSWERED_WITH_OBJECT.contains(target.resource().storage())) {
            return object(code, target, deleted.object());
        }
        ObjectNode status = JsonNodeFactory.instance.objectNode();
        status.put("kind", "Status").put("apiVersion", "v1");
        status.putObject("metadata");
        status.put("status", "Success");
        ObjectNode details = status.putObject("details").put("name", target.name());
        if (!target.resource().type().group().isEmpty()) {
            details.put("group", target.resource().type().group());
        }
        details.put("kind", target.resource().type().plural());
        details.put("uid", deleted.object().path("metadata").path("uid").asText());
        return new Reply.OfNode(200, status);
    }

    private Future<Reply> deleteCollection(Call call, Target target) {
        DeleteOptions how = deleteOptions(call);
        return verbs.deleteCollection(target, call.writeOptions(how), how, lists.query(call, target))
                .map(page -> new Reply.OfPage(200, target.resource(), page));
    }

    /** Of the body, or else of the URL; never of both. */
    private static DeleteOptions deleteOptions(Call call) {
        if (call.body().length() > 0) {
            return DeleteOptions.read(Bodies.options(call));
        }
        ObjectNode options = JsonNodeFactory.instance.objectNode();
        if (!call.parameter("propagationPolicy").isEmpty()) {
            options.put("propagationPolicy", call.parameter("propagationPolicy"));
        }
        if (!call.parameter("gracePeriodSeconds").isEmpty()) {
            options.put("gracePeriodSeconds", call.number("gracePeriodSeconds", 0));
        }
        if (!call.parameter("orphanDependents").isEmpty()) {
            options.put("orphanDependents", call.flag("orphanDependents"));
        }
        for (String precondition : List.of("uid", "resourceVersion")) {
            if (!call.parameter(precondition).isEmpty()) {
                options.withObject("/preconditions").put(precondition, call.parameter(precondition));
            }
        }
        ArrayNode dryRun = options.putArray("dryRun");
        call.query().getAll("dryRun").forEach(dryRun::add);
        return DeleteOptions.of(options);
    }

    private static Reply object(int status, Target target, ObjectNode object) {
        return new Reply.OfObject(status, target.resource(), object);
    }
}

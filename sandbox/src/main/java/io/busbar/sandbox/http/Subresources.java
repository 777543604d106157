package io.busbar.sandbox.http;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.common.ResourceType;
import io.busbar.sandbox.admission.AdmissionAttributes.ObjectKind;
import io.busbar.sandbox.auth.TokenRequests;
import io.busbar.sandbox.request.Target;
import io.busbar.sandbox.request.WriteOptions;
import io.busbar.sandbox.resource.Resource;
import io.busbar.sandbox.status.StatusException;
import io.busbar.sandbox.storage.Metadata;
import io.busbar.sandbox.verbs.Cluster;
import io.busbar.sandbox.verbs.Creates;
import io.busbar.sandbox.verbs.Updates;
import io.busbar.sandbox.verbs.Verbs;
import io.busbar.sandbox.verbs.Written;
import io.vertx.core.Future;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * What is below an object: {@code status}, {@code scale}, {@code binding}, {@code eviction}, ...
 *
 * <p>One context.
 */
final class Subresources {

    private static final ObjectKind TOKEN = new ObjectKind("authentication.k8s.io", "v1", "TokenRequest");
    /** The release that takes the namespace of what is put from the URL. */
    private static final int FILLS_NAMESPACE = 23;

    private static final ResourceType SCALE_TYPE = new ResourceType("autoscaling", "v1", "Scale", "", true);

    private final Cluster cluster;
    private final Verbs verbs;
    private final TokenRequests tokenRequests;
    private final Gate gate;

    Subresources(Cluster cluster, Verbs verbs, TokenRequests tokenRequests, Gate gate) {
        this.cluster = cluster;
        this.verbs = verbs;
        this.tokenRequests = tokenRequests;
        this.gate = gate;
    }

    Future<Reply> answer(Call call, Target target) {
        String method = call.method().name();
        return switch (target.subresource()) {
            case "scale" -> scale(call, target, method);
            case "binding" -> posted(method, () -> bind(call, target));
            case "eviction" -> posted(method, () -> evict(call, target));
            case "token" -> posted(method, () -> token(call, target));
            case "finalize" -> {
                if (!method.equals("PUT")) {
                    throw StatusException.methodNotAllowed();
                }
                yield replace(call, target);
            }
            default -> part(call, target, method);
        };
    }

    /** A PATCH of an object, or of a part of it that has the object's own form. */
    Future<Written> patched(Call call, Target target) {
        Patches.check(call, target.resource());
        WriteOptions options = call.writeOptions("PatchOptions");
        if (call.contentType().equals(Patches.APPLY)) {
            if (cluster.store().shelf(target.resource().storage()).get(target.key()) == null) {
                gate.checkCreate(call.caller(), target);
            }
            ResourceType type = target.resource().type();
            return verbs.applies()
                    .apply(target, options, Patches.configuration(call, type.kind(), type.apiVersion(), options));
        }
        UnaryOperator<ObjectNode> change =
                Patches.change(call, target.resource(), target.resource().type(), options);
        return verbs.updates().patch(target, options, change).map(object -> new Written(object, false));
    }

    private Future<Reply> part(Call call, Target target, String method) {
        return switch (method) {
            case "GET", "HEAD" -> verbs.reads().get(target).map(object -> reply(200, target, object));
            case "PUT" -> replace(call, target);
            case "PATCH" ->
                patched(call, target).map(written -> reply(written.created() ? 201 : 200, target, written.object()));
            default -> throw StatusException.methodNotAllowed();
        };
    }

    private Future<Reply> replace(Call call, Target target) {
        WriteOptions options = call.writeOptions("UpdateOptions");
        return verbs.updates()
                .replace(target, options, Bodies.object(call, target.resource(), options))
                .map(object -> reply(200, target, object));
    }

    private Future<Reply> scale(Call call, Target target, String method) {
        Resource resource = target.resource();
        switch (method) {
            case "GET", "HEAD" -> {
                return verbs.reads()
                        .get(target)
                        .recover(failure -> Future.failedFuture(ScaleForm.notFound(target, failure)))
                        .map(object -> new Reply.OfNode(200, ScaleForm.of(resource, object)));
            }
            case "PUT" -> {
                ObjectNode scale = Bodies.object(call, "Scale", "autoscaling/v1", call.writeOptions("UpdateOptions"));
                checkName(scale, target);
                if (cluster.release().since(FILLS_NAMESPACE)) {
                    Creates.place(target, Metadata.of(scale));
                }
                ScaleForm.checkNamespace(resource, scale);
                return changeScale(call, target, shown -> {
                    Updates.checkUid(
                            target, Metadata.of(scale), Metadata.of(shown).uid());
                    return scale.deepCopy();
                });
            }
            case "PATCH" -> {
                Patches.check(call, resource);
                if (call.contentType().equals(Patches.APPLY)) {
                    return verbs.applies()
                            .applyScale(
                                    target,
                                    call.writeOptions("PatchOptions"),
                                    Patches.configuration(
                                            call, "Scale", "autoscaling/v1", call.writeOptions("PatchOptions")),
                                    version -> replicasPath(resource, version),
                                    ScaleForm.view(resource))
                            .map(object -> new Reply.OfNode(200, ScaleForm.of(resource, object)));
                }
                UnaryOperator<ObjectNode> patch =
                        Patches.change(call, resource, SCALE_TYPE, call.writeOptions("PatchOptions"));
                return changeScale(call, target, patch);
            }
            default -> throw StatusException.methodNotAllowed();
        }
    }

    private @Nullable String replicasPath(Resource resource, String apiVersion) {
        return cluster.catalog().served(resource.storage()).stream()
                .filter(version -> version.type().apiVersion().equals(apiVersion)
                        && version.subresources().contains("scale"))
                .map(ScaleForm::specPath)
                .findFirst()
                .orElse(null);
    }

    private Future<Reply> changeScale(Call call, Target target, UnaryOperator<ObjectNode> scaled) {
        Resource resource = target.resource();
        return verbs.updates()
                .change(target, call.writeOptions("UpdateOptions"), ScaleForm.view(resource), scaled)
                .map(object -> new Reply.OfNode(200, ScaleForm.of(resource, object)));
    }

    private Future<Reply> bind(Call call, Target target) {
        ObjectNode binding = Bodies.object(call, "Binding", "v1", call.writeOptions("CreateOptions"));
        return verbs.bindings()
                .bind(target, call.writeOptions("CreateOptions"), binding)
                .map(bound -> success());
    }

    private Future<Reply> evict(Call call, Target target) {
        ObjectNode eviction =
                Bodies.object(call, "Eviction", evictionVersion(call), call.writeOptions("CreateOptions"));
        return verbs.evictions()
                .evict(target, call.writeOptions("CreateOptions"), eviction)
                .map(evicted -> success());
    }

    private Future<Reply> token(Call call, Target target) {
        ObjectNode request =
                Bodies.object(call, "TokenRequest", "authentication.k8s.io/v1", call.writeOptions("CreateOptions"));
        TokenRequests.decode(request);
        return verbs.submissions()
                .submit(
                        target,
                        call.writeOptions("CreateOptions"),
                        TOKEN,
                        request,
                        body -> tokenRequests.complete(target, body),
                        body -> Future.succeededFuture(new Reply.OfNode(201, tokenRequests.answer(target, body))));
    }

    /** Both versions of the policy group have the same Eviction. */
    private static String evictionVersion(Call call) {
        return call.body().toString().contains("policy/v1beta1") ? "policy/v1beta1" : "policy/v1";
    }

    private static Future<Reply> posted(String method, Supplier<Future<Reply>> answer) {
        if (!method.equals("POST")) {
            throw StatusException.methodNotAllowed();
        }
        return answer.get();
    }

    private static void checkName(ObjectNode body, Target target) {
        String name = body.path("metadata").path("name").asText("");
        if (name.isEmpty()) {
            throw StatusException.badRequest("the name of the object (" + target.name()
                    + " based on URL) was undeterminable: name must be provided");
        }
        if (!name.equals(target.name())) {
            throw StatusException.badRequest(
                    "the name of the object (" + name + ") does not match the name on the URL (" + target.name() + ")");
        }
    }

    static Reply success() {
        ObjectNode status = JsonNodeFactory.instance.objectNode();
        status.put("kind", "Status").put("apiVersion", "v1");
        status.putObject("metadata");
        return new Reply.OfNode(201, status.put("status", "Success").put("code", 201));
    }

    private static Reply reply(int status, Target target, ObjectNode object) {
        return new Reply.OfObject(status, target.resource(), object);
    }
}

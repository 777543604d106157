package io.busbar.sandbox.verbs;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.common.ObjectKey;
import io.busbar.sandbox.admission.AdmissionAttributes;
import io.busbar.sandbox.apply.ManagedFields;
import io.busbar.sandbox.metadata.TypedMetadata;
import io.busbar.sandbox.request.Target;
import io.busbar.sandbox.request.WriteOptions;
import io.busbar.sandbox.resource.Conversion;
import io.busbar.sandbox.resource.Resource;
import io.busbar.sandbox.status.FieldCause;
import io.busbar.sandbox.status.StatusException;
import io.busbar.sandbox.storage.GroupResource;
import io.busbar.sandbox.storage.Metadata;
import io.busbar.sandbox.storage.Sharing;
import io.vertx.core.Future;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Changes objects: read, change, mutation, validation, refusal, write; all of it again when somebody else was first.
 *
 * <p>One context.
 */
public final class Updates {

    /** How often a change is tried anew before the client is told to (kube-apiserver: 5 for patches). */
    private static final int ATTEMPTS = 5;

    /**
     * @param function changes what the view shows
     * @param applied whether the function has recorded who owns what
     */
    private record Change(
            Target target,
            WriteOptions options,
            View view,
            Function<ObjectNode, Future<ObjectNode>> function,
            boolean applied) {}

    private final Cluster cluster;
    private final Owners owners;

    public Updates(Cluster cluster) {
        this.cluster = cluster;
        this.owners = new Owners(cluster);
    }

    /**
     * Puts an object in the place of one that is there.
     *
     * @param body in the request's version; not shared. Its resourceVersion, when it has one, must be the current one
     */
    public Future<ObjectNode> replace(Target target, WriteOptions options, ObjectNode body) {
        TypedMetadata.decode(target.resource().type(), target.resource().custom() != null, body);
        checkPlace(target, Metadata.of(body));
        return change(target, options, View.whole(target.resource()), before -> {
            ObjectNode after = body.deepCopy();
            Metadata of = Metadata.of(after);
            checkUid(target, of, Metadata.of(before).uid());
            if (Revision.absent(of) && !target.resource().rules().updatesUnconditionally()) {
                throw StatusException.invalid(
                        target.resource().type().group(),
                        target.resource().type().plural(),
                        target.name(),
                        List.of(FieldCause.invalid(
                                "metadata.resourceVersion", "0", "must be specified for an update")));
            }
            return after;
        });
    }

    /** @param uid of what is there; empty for nothing */
    public static void checkUid(Target target, Metadata asked, String uid) {
        if (!asked.uid().isEmpty() && !asked.uid().equals(uid)) {
            String group = target.resource().custom() == null
                    ? ""
                    : target.resource().storage().group() + "/";
            String key = group + target.resource().storage().plural() + "/"
                    + (target.namespace().isEmpty() ? "" : target.namespace() + "/") + target.name();
            throw StatusException.conflict(
                    target.resource().named(),
                    target.name(),
                    (uid.isEmpty()
                                    ? ""
                                    : "StorageError: invalid object, Code: 4, Key: /registry/" + key
                                            + ", ResourceVersion: 0, AdditionalErrorMsg: ")
                            + "Precondition failed: UID in precondition: " + asked.uid() + ", UID in object meta: "
                            + uid);
        }
    }

    /**
     * Changes an object by a patch.
     *
     * @param patch returns objects that share nothing with what it gets
     */
    public Future<ObjectNode> patch(Target target, WriteOptions options, UnaryOperator<ObjectNode> patch) {
        return change(target, options, View.whole(target.resource()), before -> {
            ObjectNode after = patch.apply(before);
            decodePatched(target, after);
            checkPlace(target, Metadata.of(after));
            return after;
        });
    }

    /** What a patch has made of an object is the patch's fault. */
    private static void decodePatched(Target target, ObjectNode after) {
        try {
            TypedMetadata.decode(target.resource().type(), target.resource().custom() != null, after);
        } catch (StatusException refused) {
            throw StatusException.invalid(
                    "",
                    "",
                    "",
                    List.of(FieldCause.invalid("patch", after.toString(), String.valueOf(refused.getMessage()))));
        }
    }

    /**
     * Changes an object that is there.
     *
     * @param view the form of the object that the request speaks of, such as {@code Scale}
     * @param change from that form of the object in the request's version to what it should be, not shared; is called
     *     again when
     *     the write comes second
     */
    public Future<ObjectNode> change(Target target, WriteOptions options, View view, UnaryOperator<ObjectNode> change) {
        return attempt(
                new Change(target, options, view, shown -> Future.succeededFuture(change.apply(shown)), false), 1);
    }

    /**
     * Changes what is stored, as the server itself does behind a request of another kind: nobody is asked, and nobody's
     * ownership is recorded. For kinds of one version.
     *
     * @param change of an object that is not shared
     */
    ObjectNode changeUnasked(Target target, boolean dryRun, Consumer<ObjectNode> change) {
        GroupResource storage = target.resource().storage();
        ObjectNode current = cluster.store().shelf(storage).get(target.key());
        if (current == null) {
            throw StatusException.notFound(target.resource().named(), target.name());
        }
        ObjectNode after = current.deepCopy();
        change.accept(after);
        return dryRun ? after : Objects.requireNonNull(cluster.store().replace(storage, target.key(), current, after));
    }

    /** Lays what an apply made of an object in its place; it has recorded the managers already. */
    Future<ObjectNode> changeApplied(
            Target target, WriteOptions options, View view, Function<ObjectNode, Future<ObjectNode>> change) {
        return attempt(new Change(target, options, view, change, true), 1);
    }

    private Future<ObjectNode> attempt(Change change, int attempt) {
        Target target = change.target();
        Resource resource = target.resource();
        ObjectNode current = cluster.store().shelf(resource.storage()).get(target.key());
        if (current == null) {
            return Future.failedFuture(StatusException.notFound(resource.named(), target.name()));
        }
        return resource.conversion()
                .toServed(current)
                .compose(before -> propose(change, before)
                        .compose(proposal -> store(target, change.options(), current, proposal)
                                .compose(written -> {
                                    if (written != null) {
                                        return Future.succeededFuture(written);
                                    }
                                    // A client that insists on a version is refused then: it is another by now.
                                    return attempt == ATTEMPTS
                                            ? Future.failedFuture(
                                                    StatusException.modified(resource.named(), target.name()))
                                            : attempt(change, attempt + 1);
                                })));
    }

    /** Changed, mutated, validated and allowed: what is to be written. */
    private Future<ObjectNode> propose(Change change, ObjectNode before) {
        View view = change.view();
        ObjectNode shown = view.of(before);
        return change.function()
                .apply(shown)
                .compose(changed -> view.isWhole() ? decoded(change, before, changed) : Future.succeededFuture(changed))
                .compose(wanted -> admit(change, before, shown, wanted));
    }

    private Future<ObjectNode> admit(Change change, ObjectNode before, ObjectNode shown, ObjectNode wanted) {
        Target target = change.target();
        View view = change.view();
        AdmissionAttributes attributes = AdmissionAttributes.update(target, view.kind(), change.options(), shown);
        return cluster.admission()
                .mutate(attributes, wanted)
                .compose(mutated -> {
                    ObjectNode form = Objects.requireNonNull(mutated);
                    return view.isWhole()
                            ? Future.succeededFuture(target.resource().rules().decode(form))
                            : decoded(change, before, view.put(before.deepCopy(), form));
                })
                .compose(complete -> {
                    Creates.place(target, Metadata.of(complete));
                    complete(target, change.options(), before, complete);
                    return cluster.admission()
                            .validate(attributes, view.of(complete))
                            .map(valid -> complete);
                });
    }

    /** With defaults, what the client may not change, and the record of who owns what. */
    private Future<ObjectNode> decoded(Change change, ObjectNode before, ObjectNode changed) {
        Target target = change.target();
        Resource resource = target.resource();
        JsonNode managers = changed.path("metadata").path("managedFields");
        ObjectNode after = resource.rules().decode(changed);
        if (managers.isArray() && managers.isEmpty()) {
            Metadata.of(after).set("managedFields", managers); // An empty list means more than none.
        }
        pin(resource, before, after);
        keepIdentity(before, after);
        return change.applied()
                ? Future.succeededFuture(after)
                : owners.written(target, change.options(), before, after);
    }

    /** Puts an object where the URL says, unless it says that it belongs elsewhere. */
    static void checkPlace(Target target, Metadata metadata) {
        Creates.place(target, metadata);
        if (metadata.name().isEmpty()) {
            throw StatusException.badRequest("the name of the object (" + target.name()
                    + " based on URL) was undeterminable: name must be provided");
        }
        if (!metadata.name().equals(target.name())) {
            throw StatusException.badRequest("the name of the object (" + metadata.name()
                    + ") does not match the name on the URL (" + target.name() + ")");
        }
    }

    /** Insists on the version that the client names, if it names one. */
    private static void pin(Resource resource, ObjectNode before, ObjectNode after) {
        Metadata now = Metadata.of(before);
        Metadata then = Metadata.of(after);
        if (Revision.absent(then)) {
            then.node().put("resourceVersion", now.resourceVersion());
        } else if (!then.resourceVersion().equals(now.resourceVersion())) {
            throw StatusException.modified(resource.named(), now.name());
        }
    }

    /** What a client leaves out is taken from the object; what it may not change at all is kept silently. */
    private static void keepIdentity(ObjectNode before, ObjectNode after) {
        Metadata now = Metadata.of(before);
        Metadata then = Metadata.of(after);
        then.node().remove("selfLink");
        then.set("namespace", now.node().get("namespace"));
        then.set("creationTimestamp", now.node().get("creationTimestamp"));
        if (now.deleting()) {
            then.set("deletionTimestamp", now.node().get("deletionTimestamp"));
            if (!then.node().has("deletionGracePeriodSeconds")) {
                then.set("deletionGracePeriodSeconds", now.node().get("deletionGracePeriodSeconds"));
            }
        }
        then.set("generation", now.node().get("generation"));
        if (then.uid().isEmpty()) {
            then.set("uid", now.node().get("uid"));
        }
        if (then.node().path("generateName").asText().isEmpty()) {
            then.set("generateName", now.node().get("generateName"));
        }
    }

    private static void complete(Target target, WriteOptions options, ObjectNode before, ObjectNode after) {
        Resource resource = target.resource();
        resource.rules().prepareForUpdate(after, before, target.subresource());
        List<FieldCause> causes = Kinds.validate(resource, after, before, target.subresource());
        if (causes.isEmpty() || resource.rules().warnsOfRefused(causes)) {
            resource.rules().warnings(after, before).forEach(options.warnings());
        }
        if (!causes.isEmpty()) {
            // A custom resource is called what it says that it is.
            String version = after.path("apiVersion").asText();
            boolean custom = resource.custom() != null;
            throw StatusException.invalid(
                    custom
                            ? version.substring(0, Math.max(0, version.indexOf('/')))
                            : resource.storage().group(),
                    custom ? after.path("kind").asText() : resource.type().kind(),
                    target.name(),
                    causes);
        }
    }

    /** The object as served, or null when it is no longer what it was. */
    private Future<@Nullable ObjectNode> store(
            Target target, WriteOptions options, ObjectNode current, ObjectNode proposal) {
        Conversion conversion = target.resource().conversion();
        return conversion.toStored(proposal).compose(complete -> {
            ObjectNode written = write(target, options, current, complete);
            return written == null ? Future.succeededFuture() : conversion.toServed(written);
        });
    }

    @SuppressWarnings("ReferenceEquality") // Stored objects never change: the very object is the version.
    private @Nullable ObjectNode write(Target target, WriteOptions options, ObjectNode current, ObjectNode complete) {
        Resource resource = target.resource();
        ObjectKey key = target.key();
        ObjectNode stored = (ObjectNode) Sharing.share(current, ManagedFields.withoutNewTimes(current, complete));
        if (cluster.store().shelf(resource.storage()).get(key) != current) {
            return null;
        }
        if (stored == current || options.dryRun()) {
            return stored;
        }
        if (!Deletes.lastFinalizerGone(resource, stored)) {
            return cluster.store().replace(resource.storage(), key, current, stored);
        }
        // Watches are told of what was there; what the client made of it was never written.
        return cluster.store().remove(resource.storage(), key, current, current.deepCopy()) == null ? null : stored;
    }
}

package io.busbar.sandbox.verbs;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.admission.AdmissionAttributes;
import io.busbar.sandbox.metadata.TypedMetadata;
import io.busbar.sandbox.request.Target;
import io.busbar.sandbox.request.WriteOptions;
import io.busbar.sandbox.resource.KindRules;
import io.busbar.sandbox.resource.Resource;
import io.busbar.sandbox.status.FieldCause;
import io.busbar.sandbox.status.StatusException;
import io.busbar.sandbox.storage.Metadata;
import io.busbar.sandbox.syntax.GeneratedNames;
import io.vertx.core.Future;
import java.util.List;
import java.util.Objects;
import java.util.UUID;

/**
 * Makes objects: namespace, mutation, system fields, validation, refusal, write, in the real server's order.
 *
 * <p>One context.
 */
public final class Creates {

    private final Cluster cluster;
    private final NamespaceGate namespaces;
    private final Owners owners;

    public Creates(Cluster cluster) {
        this.cluster = cluster;
        this.namespaces = new NamespaceGate(cluster.store());
        this.owners = new Owners(cluster);
    }

    /**
     * @param object in the request's version; not shared
     * @return what was stored, in the request's version
     */
    public Future<ObjectNode> create(Target target, WriteOptions options, ObjectNode object) {
        TypedMetadata.decode(target.resource().type(), target.resource().custom() != null, object);
        place(target, Metadata.of(object));
        namespaces.checkCreate(target, Metadata.of(object).name());
        ObjectNode decoded = decode(target, object);
        return owners.written(target, options, null, decoded).compose(owned -> admit(target, options, owned));
    }

    /** Makes what a PUT found missing; the version that it names is no obstacle, as in an apply. */
    public Future<ObjectNode> createAt(Target target, WriteOptions options, ObjectNode object) {
        TypedMetadata.decode(target.resource().type(), target.resource().custom() != null, object);
        Updates.checkPlace(target, Metadata.of(object));
        Updates.checkUid(target, Metadata.of(object), "");
        Revision.absent(Metadata.of(object)); // Refuses what is no version.
        Metadata.of(object).node().remove("resourceVersion");
        return create(target, options, object);
    }

    /**
     * Makes what an apply found missing. Its managers are recorded already. A resourceVersion that it names is no
     * obstacle, as there is nothing that it could differ from.
     */
    Future<ObjectNode> createApplied(Target target, WriteOptions options, ObjectNode object) {
        TypedMetadata.decode(target.resource().type(), target.resource().custom() != null, object);
        Revision.absent(Metadata.of(object)); // Refuses what is no version.
        Metadata.of(object).node().remove("resourceVersion");
        place(target, Metadata.of(object));
        namespaces.checkCreate(target, target.name());
        return admit(target, options, decode(target, object));
    }

    private static ObjectNode decode(Target target, ObjectNode object) {
        ObjectNode decoded = target.resource().rules().decode(object);
        Metadata.of(decoded).node().remove("selfLink");
        return decoded;
    }

    @SuppressWarnings("ReferenceEquality") // Where no webhook was asked.
    private Future<ObjectNode> admit(Target target, WriteOptions options, ObjectNode object) {
        AdmissionAttributes attributes = attributes(target, options, object);
        KindRules rules = target.resource().rules();
        ObjectNode admitted = rules.admit(object);
        return cluster.admission().mutate(attributes, admitted).compose(mutated -> {
            // What webhooks added, such as a container, is in want of the same; without them all is done.
            ObjectNode complete =
                    mutated == admitted ? admitted : rules.admit(rules.decode(Objects.requireNonNull(mutated)));
            place(target, Metadata.of(complete));
            complete(target, options, complete);
            return cluster.admission()
                    .validate(attributes(target, options, complete), complete)
                    .compose(valid -> store(target, options, complete));
        });
    }

    private static AdmissionAttributes attributes(Target target, WriteOptions options, ObjectNode object) {
        Target named = target.named(Metadata.of(object).name());
        return AdmissionAttributes.create(named, Kinds.of(target.resource()), options);
    }

    public static void place(Target target, Metadata metadata) {
        if (target.namespace().isEmpty()) {
            metadata.node().remove("namespace");
        } else if (metadata.namespace().isEmpty()) {
            metadata.node().put("namespace", target.namespace());
        } else if (!metadata.namespace().equals(target.namespace())) {
            throw StatusException.badRequest(
                    "the namespace of the provided object does not match the namespace sent on the request");
        }
    }

    private void complete(Target target, WriteOptions options, ObjectNode object) {
        Resource resource = target.resource();
        Metadata metadata = Metadata.of(object);
        metadata.node().remove(List.of("deletionTimestamp", "deletionGracePeriodSeconds"));
        metadata.node().put("uid", UUID.randomUUID().toString());
        metadata.node().put("creationTimestamp", Metadata.time(cluster.clock().instant()));
        if (metadata.name().isEmpty()
                && !metadata.node().path("generateName").asText().isEmpty()) {
            metadata.node()
                    .put(
                            "name",
                            GeneratedNames.of(
                                    metadata.node().path("generateName").asText()));
        }
        resource.rules().prepareForCreate(object);
        List<FieldCause> causes = Kinds.validate(resource, object, null, "");
        if (!causes.isEmpty()) {
            throw StatusException.invalid(
                    resource.storage().group(), resource.type().kind(), metadata.name(), causes);
        }
        resource.rules().warnings(object, null).forEach(options.warnings());
    }

    /** Who owns which field of what is answered, and not kept. */
    public Future<JsonNode> owners(Target target, WriteOptions options, ObjectNode body) {
        return owners.written(target, options, null, body.deepCopy())
                .map(owned -> owned.path("metadata").path("managedFields"));
    }

    private Future<ObjectNode> store(Target target, WriteOptions options, ObjectNode object) {
        Resource resource = target.resource();
        Metadata metadata = Metadata.of(object);
        if (metadata.resourceVersion().matches("0*[1-9]\\d*")) {
            throw new StatusException(500, "", "resourceVersion should not be set on objects to be created", null);
        }
        return resource.conversion().toStored(object).compose(stored -> {
            ObjectNode present = cluster.store().shelf(resource.storage()).get(metadata.key());
            if (present != null) {
                StatusException refused = StatusException.alreadyExists(resource.named(), metadata.name());
                throw Metadata.of(present).deleting() ? refused.prefixed("object is being deleted: ") : refused;
            }
            return resource.conversion()
                    .toServed(
                            options.dryRun()
                                    ? stored
                                    : cluster.store().create(resource.storage(), metadata.key(), stored));
        });
    }
}

package io.busbar.blueprint.operator;

import io.busbar.admission.AdmissionRules;
import io.busbar.blueprint.schema.InstanceSchema;
import io.busbar.blueprint.v1alpha1.BlueprintRun;
import io.busbar.blueprint.v1alpha1.BlueprintSpec;
import io.busbar.blueprint.v1alpha1.StoredBlueprint;
import io.busbar.common.MetadataKey;
import io.busbar.common.ObjectKey;
import io.busbar.common.ResourceType;
import io.busbar.common.watch.ChangePredicate;
import io.busbar.common.watch.Index;
import io.busbar.common.watch.WatchSpec;
import io.busbar.manifests.rbac.Permission;
import io.busbar.manifests.webhook.WebhookManifest;
import io.busbar.manifests.webhook.WebhookManifest.Operation;
import io.busbar.reconciler.Controller;
import io.busbar.reconciler.source.CallSource;
import io.busbar.runtime.bundle.Bundle;
import io.busbar.runtime.bundle.BundleContext;
import io.busbar.runtime.bundle.Extras;
import io.busbar.runtime.bundle.Webhook;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.time.InstantSource;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Blueprints, whole: the controller that runs a controller for each, and the webhook that refuses what cannot work. Any
 * thread.
 */
public final class BlueprintsBundle implements Bundle {

    static final MetadataKey FINALIZER = MetadataKey.finalizer(
            "blueprints.busbar.io/finalizer", "a Blueprint", "ends what runs of it before it goes");

    /** Files Blueprints under the kinds that they declare, and those of their resources. */
    private static final Index<StoredBlueprint> BY_KIND = new Index<>("blueprint.kinds", BlueprintsBundle::kinds);

    private final KubernetesSerialization serialization = new KubernetesSerialization();
    private final BlueprintFlags flags = new BlueprintFlags();
    private final Looks looks;

    public BlueprintsBundle() {
        this(Looks.USUAL);
    }

    BlueprintsBundle(Looks looks) {
        this.looks = looks;
    }

    @Override
    public String name() {
        return "blueprints";
    }

    @Override
    public Optional<Object> flags() {
        return Optional.of(flags);
    }

    @Override
    public Optional<String> whyNotShared() {
        return Optional.of("each replica would reconcile the instances of all Blueprints");
    }

    @Override
    public List<Controller<?>> controllers(BundleContext context) {
        Revisions revisions = new Revisions(context.namespace(), serialization);
        CallSource starts = new CallSource("blueprint.starts");
        BlueprintReconciler reconciler = new BlueprintReconciler(
                flags,
                flags.accountNamespace(context.namespace()),
                revisions,
                new RunningBlueprints(
                        context.guests(), serialization, blueprint -> starts.enqueue(ObjectKey.of(blueprint))),
                serialization,
                InstantSource.system(),
                looks);
        return List.of(Controller.of(StoredBlueprint.class, reconciler)
                .index(BY_KIND)
                .source(starts)
                .owns(revisions.watch())
                .watches(
                        definitions(),
                        List.of(ClusterTypes.BY_KIND),
                        ChangePredicate.always(),
                        (definition, listers) -> concerned(
                                definition,
                                kind -> listers.lister(StoredBlueprint.class).by(BY_KIND, kind)))
                .finalizer(FINALIZER.name()));
    }

    /** All there are: templates may be of any kind. */
    private static WatchSpec<CustomResourceDefinition> definitions() {
        return WatchSpec.of(CustomResourceDefinition.class)
                .keeping("metadata.labels", "metadata.generation", "spec", "status.conditions");
    }

    private static Set<ObjectKey> concerned(
            CustomResourceDefinition definition, Function<String, List<StoredBlueprint>> readers) {
        Set<ObjectKey> keys = new LinkedHashSet<>();
        BlueprintReconciler.OWNER.of(definition).map(ObjectKey::of).ifPresent(keys::add);
        ClusterTypes.BY_KIND
                .values()
                .apply(definition)
                .forEach(kind -> readers.apply(kind).stream().map(ObjectKey::of).forEach(keys::add));
        return keys;
    }

    /** The kind that one declares, as indexes have it; empty where it has no schema. */
    static Optional<String> ownKind(StoredBlueprint blueprint) {
        return Optional.ofNullable(blueprint.getSpec())
                .map(BlueprintSpec::schema)
                .map(schema -> ClusterTypes.kindOf(
                        schema.getOrDefault("group", InstanceSchema.DEFAULT_GROUP) + "/",
                        String.valueOf(schema.get("kind"))));
    }

    private static List<String> kinds(StoredBlueprint blueprint) {
        Optional<String> own = ownKind(blueprint);
        if (own.isEmpty()) {
            return List.of();
        }
        BlueprintSpec spec = blueprint.getSpec();
        Stream<String> ofResources = spec.resources() == null
                ? Stream.of()
                : spec.resources().stream()
                        .flatMap(resource -> Stream.of(resource.get("template"), resource.get("externalRef")))
                        .filter(Map.class::isInstance)
                        .map(body -> kind((Map<?, ?>) body));
        return Stream.concat(own.stream(), ofResources).distinct().toList();
    }

    private static String kind(Map<?, ?> body) {
        return ClusterTypes.kindOf(String.valueOf(body.get("apiVersion")), String.valueOf(body.get("kind")));
    }

    /** Of Blueprints on a worker: to compile all expressions takes some ten milliseconds. */
    @Override
    public List<Webhook> webhooks(BundleContext context) {
        return List.of(
                Webhook.reading(
                        manifest(StoredBlueprint.class),
                        listers -> AdmissionRules.onWorker(AdmissionRules.validating(
                                StoredBlueprint.class,
                                new BlueprintRules(
                                        new ClusterTypes(listers.lister(CustomResourceDefinition.class), serialization),
                                        serialization,
                                        flags)))),
                Webhook.reading(
                        manifest(BlueprintRun.class),
                        listers -> AdmissionRules.validating(
                                BlueprintRun.class,
                                new RunRules(
                                        kind -> listers.lister(StoredBlueprint.class)
                                                .by(BY_KIND, kind),
                                        flags.accountNamespace(context.namespace())))));
    }

    private static WebhookManifest manifest(Class<? extends HasMetadata> type) {
        ResourceType resource = ResourceType.of(type);
        String name = "v" + resource.kind().toLowerCase(Locale.ROOT) + ".kb.io";
        return WebhookManifest.validating(name, resource, Operation.CREATE, Operation.UPDATE);
    }

    @Override
    public Extras extras(BundleContext context) {
        return Extras.none()
                .defining(BlueprintRun.class)
                .allowing(Permission.on(CustomResourceDefinition.class, "create", "patch"))
                .allowingInOwnNamespace(Permission.of("", List.of("serviceaccounts"), "impersonate"));
    }
}

package io.busbar.blueprint.run;

import io.busbar.blueprint.Plan;
import io.busbar.blueprint.check.CheckedBlueprint;
import io.busbar.blueprint.check.CheckedResource;
import io.busbar.blueprint.render.Renderer;
import io.busbar.blueprint.schema.InstanceSchema;
import io.busbar.blueprint.v1alpha1.BlueprintRun;
import io.busbar.common.ObjectKey;
import io.busbar.common.ResourceType;
import io.busbar.common.watch.ChangePredicate;
import io.busbar.common.watch.Index;
import io.busbar.common.watch.KeyMapping;
import io.busbar.common.watch.Listers;
import io.busbar.common.watch.WatchSpec;
import io.busbar.reconciler.Controller;
import io.busbar.reconciler.Write;
import io.busbar.runtime.bundle.Bundle;
import io.busbar.runtime.bundle.BundleContext;
import io.busbar.runtime.client.KindClasses;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The controller of a Blueprint's kind, named as its definition is: {@code plural.group}.
 *
 * <p>Any thread.
 */
public final class BlueprintBundle implements Bundle {

    private final List<Revision> revisions;
    private final CheckedBlueprint blueprint;
    /** The kinds of which more than metadata is read, by some revision. */
    private final Set<ResourceType> readBeyondMetadata;
    /** The kinds of external objects, of some revision. */
    private final Set<ResourceType> readOfOthers;

    private final KubernetesSerialization serialization;
    private final Optional<String> accounts;
    private final Supplier<KindClasses> kinds;

    /**
     * @param revisions the newest first, as below
     * @param accounts as below
     * @param kinds that others share, whose watches are joined with its own
     */
    BlueprintBundle(
            List<Revision> revisions,
            KubernetesSerialization serialization,
            Optional<String> accounts,
            KindClasses kinds) {
        this(revisions, serialization, accounts, () -> kinds);
    }

    /**
     * @param revisions the newest first: earlier ones are for instances that do not have it yet, and make and read no
     *     other kinds, see {@link Revision#mayGoOnBeside}
     * @param accounts the namespace of ServiceAccounts, where that is not the operator's own: runs about instances in
     *     no namespace are there
     */
    public BlueprintBundle(List<Revision> revisions, KubernetesSerialization serialization, Optional<String> accounts) {
        this(revisions, serialization, accounts, () -> new KindClasses(BlueprintBundle.class));
    }

    private BlueprintBundle(
            List<Revision> revisions,
            KubernetesSerialization serialization,
            Optional<String> accounts,
            Supplier<KindClasses> kinds) {
        this.revisions = List.copyOf(revisions);
        this.blueprint = revisions.get(0).blueprint();
        this.readBeyondMetadata = revisions.stream()
                .flatMap(revision -> readBeyondMetadata(revision.blueprint()))
                .collect(Collectors.toUnmodifiableSet());
        this.readOfOthers = revisions.stream()
                .flatMap(revision -> revision.blueprint().resources().stream())
                .filter(resource -> resource.resource().external())
                .map(CheckedResource::served)
                .collect(Collectors.toUnmodifiableSet());
        this.serialization = serialization;
        this.accounts = accounts;
        this.kinds = kinds;
    }

    private static Stream<ResourceType> readBeyondMetadata(CheckedBlueprint blueprint) {
        Set<String> ids = blueprint.readBeyondMetadata();
        return blueprint.resources().stream()
                .filter(resource -> ids.contains(resource.id()))
                .map(CheckedResource::served);
    }

    /**
     * Whole objects only where more than their metadata is read: the others are many, and may be large, or secret. Of a
     * kind that is only made, those alone that instances have made, which a label tells.
     */
    private <T extends GenericKubernetesResource> WatchSpec<T> watch(Class<T> type) {
        WatchSpec<T> all = WatchSpec.of(type);
        WatchSpec<T> some =
                readOfOthers.contains(all.resource()) ? all : all.withLabels(InstanceReconciler.RESOURCE.name());
        return readBeyondMetadata.contains(all.resource()) ? some : some.metadataOnlyWatch();
    }

    @Override
    public String name() {
        InstanceSchema schema = blueprint.blueprint().schema();
        return schema.plural() + "." + schema.group();
    }

    @Override
    public List<Controller<?>> controllers(BundleContext context) {
        KindClasses classes = kinds.get();
        InstanceSchema schema = blueprint.blueprint().schema();
        Map<String, Class<? extends GenericKubernetesResource>> owned = new LinkedHashMap<>();
        Map<String, Class<? extends GenericKubernetesResource>> read = new LinkedHashMap<>();
        for (CheckedResource resource : blueprint.resources()) {
            Class<? extends GenericKubernetesResource> type = classes.of(resource.served());
            if (resource.resource().external()) {
                read.put(
                        ClusterObjects.kind(
                                resource.resource().apiVersion(),
                                resource.resource().kind()),
                        type);
            } else {
                owned.put(resource.id(), type);
            }
        }
        Class<? extends GenericKubernetesResource> instances = classes.of(schema.type());
        Controller<?> ofInstances = controller(classes, instances, owned, read);
        return blueprint.plans().isEmpty()
                ? List.of(ofInstances)
                : List.of(ofInstances, ofRuns(instances, owned, read, accounts.orElse(context.namespace())));
    }

    private <P extends GenericKubernetesResource> Controller<?> ofRuns(
            Class<P> instances,
            Map<String, Class<? extends GenericKubernetesResource>> owned,
            Map<String, Class<? extends GenericKubernetesResource>> read,
            String home) {
        Set<Class<? extends GenericKubernetesResource>> made = new LinkedHashSet<>(owned.values());
        Reads reads = new Reads();
        Controller<BlueprintRun> controller = Controller.of(
                        BlueprintRun.class,
                        new RunReconciler(
                                blueprint, instances, made, read, reads, serialization, InstantSource.system()))
                .named(RunReconciler.name(blueprint))
                .primaries(where(WatchSpec.of(BlueprintRun.class), home))
                .index(RunReconciler.BY_INSTANCE)
                .owns(where(WatchSpec.of(Job.class).withLabels(StepJobs.JOB.name()), home), Write.CREATE, Write.DELETE)
                .watches(
                        WatchSpec.of(instances),
                        List.of(LooseObjects.byUid()),
                        ChangePredicate.always(),
                        (instance, listers) -> runsOf(List.of(instance), listers));
        for (Class<? extends GenericKubernetesResource> type : made) {
            controller = telling(controller, instances, type);
        }
        for (Class<? extends GenericKubernetesResource> type : new LinkedHashSet<>(read.values())) {
            controller = watching(controller, BlueprintRun.class, type, reads);
        }
        return controller;
    }

    /**
     * Those about instances in no namespace are in one alone, whatever namespaces the operator watches: people may make
     * runs elsewhere who have no say about what all share.
     */
    private <T extends HasMetadata> WatchSpec<T> where(WatchSpec<T> all, String home) {
        return blueprint.blueprint().schema().namespaced() ? all : all.inNamespaces(Set.of(home));
    }

    /** Those that go on, and so may wait for a change. */
    private static List<ObjectKey> runsOf(List<? extends GenericKubernetesResource> instances, Listers listers) {
        return instances.stream()
                .flatMap(
                        instance -> listers
                                .lister(BlueprintRun.class)
                                .by(RunReconciler.BY_INSTANCE, RunReconciler.reference(instance))
                                .stream())
                .map(ObjectKey::of)
                .toList();
    }

    /** What is of an instance concerns the runs about that. */
    @SuppressWarnings("unchecked") // the index looks at metadata alone
    private <P extends GenericKubernetesResource, T extends GenericKubernetesResource> Controller<BlueprintRun> telling(
            Controller<BlueprintRun> controller, Class<P> instances, Class<T> type) {
        Index<T> byOwner = (Index<T>) RunReconciler.BY_OWNER;
        return controller.watches(
                watch(type),
                List.of(byOwner),
                ChangePredicate.always(),
                (object, listers) -> runsOf(
                        RunReconciler.ownersOf(object).stream()
                                .flatMap(uid -> listers.lister(instances).by(LooseObjects.byUid(), uid).stream())
                                .toList(),
                        listers));
    }

    private List<InstanceReconciler.Version> versions(KindClasses classes) {
        return revisions.stream()
                .map(revision -> new InstanceReconciler.Version(
                        revision,
                        new Renderer(revision.blueprint()),
                        revision.blueprint().resources().stream()
                                .filter(resource -> !resource.resource().external())
                                .collect(Collectors.toMap(
                                        CheckedResource::id, resource -> classes.of(resource.served())))))
                .toList();
    }

    /** To the newest revision, as that says. */
    static <P extends GenericKubernetesResource> InstanceRollout<P> rollout(Revision newest, InstantSource clock) {
        return new InstanceRollout<>(
                newest.blueprint().blueprint().rollout(),
                instance -> newest.isAfter(InstanceStatus.revisionOf(instance)),
                InstanceStatus::isReady,
                clock);
    }

    private <P extends GenericKubernetesResource> Controller<P> controller(
            KindClasses classes,
            Class<P> primaries,
            Map<String, Class<? extends GenericKubernetesResource>> owned,
            Map<String, Class<? extends GenericKubernetesResource>> read) {
        Reads reads = new Reads();
        InstanceRollout<P> rollout = rollout(revisions.get(0), InstantSource.system());
        InstanceReconciler<P> reconciler = new InstanceReconciler<>(
                versions(classes), rollout, read, reads, serialization, InstantSource.system());
        Controller<P> controller = Controller.of(primaries, reconciler)
                .named(name())
                .index(LooseObjects.byUid())
                .finalizer(InstanceReconciler.FINALIZER.name(), reconciler::needsFinalizer)
                .source(rollout.calls());
        for (Class<? extends GenericKubernetesResource> type : new LinkedHashSet<>(owned.values())) {
            controller = owning(controller, primaries, type);
        }
        if (blueprint.keepsPlans()) {
            controller = controller
                    .owns(WatchSpec.of(BlueprintRun.class), Write.CREATE, Write.DELETE)
                    .watches(BlueprintRun.class, (run, listers) -> leavingInstance(run));
        }
        for (Class<? extends GenericKubernetesResource> type : new LinkedHashSet<>(read.values())) {
            controller = watching(controller, primaries, type, reads);
        }
        return controller;
    }

    /** The run before an instance goes is not the instance's own. */
    private List<ObjectKey> leavingInstance(BlueprintRun run) {
        boolean leaving = InstanceKind.of(blueprint.blueprint().schema()).isOf(run)
                && run.getSpec().plan().equals(Plan.DELETE);
        return leaving
                ? List.of(ObjectKey.of(
                        run.getMetadata().getNamespace(),
                        run.getSpec().instance().name()))
                : List.of();
    }

    /** Those that it controls, and those that only a label says to be an instance's. */
    private <P extends GenericKubernetesResource, T extends GenericKubernetesResource> Controller<P> owning(
            Controller<P> controller, Class<P> primaries, Class<T> type) {
        boolean owns = LooseObjects.canBeOwned(type, primaries);
        return (owns ? controller.owns(watch(type)) : controller)
                .watches(
                        watch(type),
                        List.of(LooseObjects.byInstance()),
                        ChangePredicate.always(),
                        KeyMapping.byIndex(
                                primaries,
                                LooseObjects.byUid(),
                                object -> LooseObjects.INSTANCE.of(object).orElse("")));
    }

    private <P extends HasMetadata, T extends GenericKubernetesResource> Controller<P> watching(
            Controller<P> controller, Class<P> primaries, Class<T> type, Reads reads) {
        return controller.watches(watch(type), (object, listers) -> {
            List<ObjectKey> there = new ArrayList<>();
            for (ObjectKey reader : reads.readersOf(object)) {
                if (listers.lister(primaries).get(reader).isPresent()) {
                    there.add(reader);
                } else {
                    reads.keep(reader, List.of());
                }
            }
            return there;
        });
    }
}

package io.busbar.blueprint.run;

import io.busbar.blueprint.Plan;
import io.busbar.blueprint.check.CheckedBlueprint;
import io.busbar.blueprint.check.CheckedResource;
import io.busbar.blueprint.render.Renderer;
import io.busbar.blueprint.schema.InstanceSchema;
import io.busbar.blueprint.v1alpha1.BlueprintRun;
import io.busbar.common.ObjectKey;
import io.busbar.common.watch.Index;
import io.busbar.common.watch.WatchSpec;
import io.busbar.reconciler.Controller;
import io.busbar.reconciler.Write;
import io.busbar.runtime.bundle.Bundle;
import io.busbar.runtime.bundle.BundleContext;
import io.busbar.runtime.client.KindClasses;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The controller of a Blueprint's kind, named as its definition is: {@code plural.group}.
 *
 * <p>Any thread.
 */
public final class BlueprintBundle implements Bundle {

    private final List<Revision> revisions;
    private final CheckedBlueprint blueprint;
    private final KubernetesSerialization serialization;

    public BlueprintBundle(CheckedBlueprint blueprint, KubernetesSerialization serialization) {
        this(List.of(new Revision("", blueprint)), serialization);
    }

    /**
     * @param revisions the newest first: earlier ones are for instances that do not have it yet, and make and read no
     *     other kinds, see {@link #isCoveredBy}
     */
    public BlueprintBundle(List<Revision> revisions, KubernetesSerialization serialization) {
        this.revisions = List.copyOf(revisions);
        this.blueprint = revisions.get(0).blueprint();
        this.serialization = serialization;
    }

    /** Whether all kinds that one makes, or reads, are made, or read, by another one. */
    public static boolean isCoveredBy(CheckedBlueprint one, CheckedBlueprint other) {
        return kinds(other).containsAll(kinds(one));
    }

    private static Set<String> kinds(CheckedBlueprint blueprint) {
        return blueprint.resources().stream()
                .map(resource -> (resource.resource().external() ? "reads " : "makes ") + resource.served())
                .collect(Collectors.toSet());
    }

    @Override
    public String name() {
        InstanceSchema schema = blueprint.blueprint().schema();
        return schema.plural() + "." + schema.group();
    }

    @Override
    public List<Controller<?>> controllers(BundleContext context) {
        KindClasses classes = new KindClasses(BlueprintBundle.class);
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
                : List.of(ofInstances, ofRuns(instances, owned, read));
    }

    private Controller<?> ofRuns(
            Class<? extends GenericKubernetesResource> instances,
            Map<String, Class<? extends GenericKubernetesResource>> owned,
            Map<String, Class<? extends GenericKubernetesResource>> read) {
        Set<Class<? extends GenericKubernetesResource>> made = new LinkedHashSet<>(owned.values());
        Controller<BlueprintRun> controller = Controller.of(
                        BlueprintRun.class,
                        new RunReconciler(blueprint, instances, made, read, serialization, InstantSource.system()))
                .named(RunReconciler.name(blueprint))
                .owns(WatchSpec.of(Job.class).withLabels(RunReconciler.JOB.name()), Write.CREATE, Write.DELETE)
                .reads(WatchSpec.of(instances), List.of());
        for (Class<? extends GenericKubernetesResource> type : made) {
            controller = reading(controller, type);
        }
        for (Class<? extends GenericKubernetesResource> type : new LinkedHashSet<>(read.values())) {
            controller = controller.reads(WatchSpec.of(type), List.of());
        }
        return controller;
    }

    @SuppressWarnings("unchecked") // the index looks at metadata alone
    private static <T extends GenericKubernetesResource> Controller<BlueprintRun> reading(
            Controller<BlueprintRun> controller, Class<T> type) {
        return controller.reads(WatchSpec.of(type), List.of((Index<T>) RunReconciler.BY_OWNER));
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

    private <P extends GenericKubernetesResource> Controller<P> controller(
            KindClasses classes,
            Class<P> primaries,
            Map<String, Class<? extends GenericKubernetesResource>> owned,
            Map<String, Class<? extends GenericKubernetesResource>> read) {
        Reads reads = new Reads();
        String newest = revisions.get(0).name();
        InstanceRollout<P> rollout = new InstanceRollout<>(
                blueprint.blueprint().rollout(),
                instance -> !InstanceReconciler.revisionOf(instance).equals(newest),
                InstanceReconciler::isReady,
                InstantSource.system());
        Controller<P> controller = Controller.of(
                        primaries,
                        new InstanceReconciler<P>(
                                versions(classes), rollout, read, reads, serialization, InstantSource.system()))
                .named(name())
                .source(rollout.calls());
        for (Class<? extends GenericKubernetesResource> type : new LinkedHashSet<>(owned.values())) {
            controller = controller.owns(type);
        }
        if (blueprint.keepsPlans()) {
            controller = controller.owns(WatchSpec.of(BlueprintRun.class), Write.CREATE, Write.DELETE);
        }
        controller = blueprint.hasPlan(Plan.DELETE)
                ? controller.finalizer(InstanceReconciler.FINALIZER.name())
                : controller.formerFinalizer(InstanceReconciler.FINALIZER.name());
        for (Class<? extends GenericKubernetesResource> type : new LinkedHashSet<>(read.values())) {
            controller = watching(controller, primaries, type, reads);
        }
        return controller;
    }

    private static <P extends GenericKubernetesResource, T extends GenericKubernetesResource> Controller<P> watching(
            Controller<P> controller, Class<P> primaries, Class<T> type, Reads reads) {
        return controller.watches(WatchSpec.of(type), (object, listers) -> {
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

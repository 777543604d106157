package io.busbar.blueprint.run;

import static java.net.HttpURLConnection.HTTP_UNAUTHORIZED;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.blueprint.BlueprintResource;
import io.busbar.blueprint.check.CheckedBlueprint;
import io.busbar.blueprint.check.CheckedResource;
import io.busbar.blueprint.render.Rendering;
import io.busbar.blueprint.render.Rendering.Fate;
import io.busbar.blueprint.render.Rendering.Step;
import io.busbar.blueprint.run.InstanceReconciler.Version;
import io.busbar.blueprint.schema.InstanceSchema;
import io.busbar.blueprint.source.Place;
import io.busbar.blueprint.source.Problems;
import io.busbar.common.ObjectKey;
import io.busbar.common.api.ApiFailure;
import io.busbar.common.watch.Reached;
import io.busbar.reconciler.Apply;
import io.busbar.reconciler.ObjectNotOwnedException;
import io.busbar.reconciler.ReconcileContext;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Makes the objects of instances what they are to be, and takes away those that are not. What is of a kind that is
 * watched is found in the stores, by its owner; what is of a kind that no revision makes any more is listed once, when
 * nothing waits: the {@link ApplySet} of the instance has that kind until its objects have gone.
 *
 * <p>Any thread, one at a time for each instance. A process that is killed between any two writes is followed by one
 * that comes to the same.
 */
final class InstanceObjects {

    /** Of all revisions that there are instances of, as in an {@link ApplySet}. */
    private final SortedSet<String> kinds;

    private final FormerKinds former;
    private final PatchContext merge;
    private final KubernetesSerialization serialization;

    /** @param revisions whose kinds are watched */
    InstanceObjects(List<CheckedBlueprint> revisions, KubernetesSerialization serialization) {
        this.kinds = revisions.stream()
                .flatMap(revision -> revision.resources().stream())
                .filter(resource -> !resource.resource().external())
                .map(resource -> ApplySet.kind(
                        resource.served().group(), resource.served().kind()))
                .collect(Collectors.toCollection(TreeSet::new));
        InstanceSchema schema = revisions.get(0).blueprint().schema();
        this.merge = new PatchContext.Builder()
                .withPatchType(PatchType.JSON_MERGE)
                .withFieldManager(schema.plural() + "." + schema.group())
                .build();
        this.former = new FormerKinds(merge);
        this.serialization = serialization;
    }

    /**
     * Takes away what does not go with an instance by itself, the last of an order first: what reads something has gone
     * before that goes.
     *
     * @param order the ids of resources
     * @param ours those objects that there are
     * @return the first one that is not gone yet; empty when the instance may go
     */
    <P extends GenericKubernetesResource> Optional<GenericKubernetesResource> takeAwayLoose(
            P instance, List<String> order, List<GenericKubernetesResource> ours, ReconcileContext<P> context) {
        List<GenericKubernetesResource> loose = ours.stream()
                .filter(object -> LooseObjects.controllerOf(object).isEmpty())
                .toList();
        loose.stream().filter(LooseObjects::isOrphaned).forEach(object -> release(object, context));
        List<GenericKubernetesResource> going = loose.stream()
                .filter(object -> !LooseObjects.isOrphaned(object))
                .toList();
        int last = going.stream()
                .mapToInt(object -> order.indexOf(idOf(object)))
                .max()
                .orElse(-1);
        going.stream()
                .filter(object -> order.indexOf(idOf(object)) == last
                        && object.getMetadata().getDeletionTimestamp() == null)
                .forEach(context::delete);
        if (instance.getMetadata().getNamespace() != null) {
            formerKinds(instance).forEach(kind -> former.prune(kind, instance, context.client()));
        }
        return going.stream()
                .filter(object -> order.indexOf(idOf(object)) == last)
                .findFirst();
    }

    /** Those of which an instance may have objects still, and no revision makes any more. */
    List<String> formerKinds(HasMetadata instance) {
        return ApplySet.saidBy(instance).kinds().stream()
                .filter(kind -> !kinds.contains(kind))
                .toList();
    }

    private static String idOf(GenericKubernetesResource object) {
        return InstanceReconciler.RESOURCE.of(object).orElse("");
    }

    private void release(GenericKubernetesResource object, ReconcileContext<?> context) {
        patch(object, LooseObjects.release(), context);
    }

    private <T extends GenericKubernetesResource> void patch(T object, ObjectNode patch, ReconcileContext<?> context) {
        @SuppressWarnings("unchecked") // an object's class is a class of its type
        Class<T> its = (Class<T>) object.getClass();
        ObjectMeta metadata = object.getMetadata();
        var all = context.client().resources(its);
        Resource<T> resource = metadata.getNamespace() == null
                ? all.withName(metadata.getName())
                : all.inNamespace(metadata.getNamespace()).withName(metadata.getName());
        context.remember(resource.patch(merge, patch.toString()));
    }

    /**
     * @param version by which they are made
     * @param ours those that there are
     * @param problems takes what cannot be applied, with its place in the Blueprint
     * @return what could not be taken away, and why; empty for nothing
     * @throws KubernetesClientException when the API server refuses another write; all that does not read what was
     *     refused has been applied
     */
    <P extends GenericKubernetesResource> String make(
            Version version,
            P instance,
            Rendering rendering,
            List<GenericKubernetesResource> ours,
            ReconcileContext<P> context,
            Problems problems) {
        return new Turn<>(version, instance, rendering, context, problems).make(ours);
    }

    /** One reconcile of an instance. One thread. */
    private final class Turn<P extends GenericKubernetesResource> {

        private final Version version;
        private final Rendering rendering;
        private final ReconcileContext<P> context;
        private final Problems problems;
        private final String namespace;
        private final String set;
        /** The ids of resources whose objects stay as they are: they wait, or somebody else has made them. */
        private final Set<String> kept;
        /** The identities of objects that are to be. */
        private final Set<String> desired;

        private final Class<P> type;
        private P instance;

        @SuppressWarnings("unchecked") // an object's class is a class of its type
        Turn(Version version, P instance, Rendering rendering, ReconcileContext<P> context, Problems problems) {
            this.version = version;
            this.instance = instance;
            this.type = (Class<P>) instance.getClass();
            this.rendering = rendering;
            this.context = context;
            this.problems = problems;
            this.namespace = Objects.requireNonNullElse(instance.getMetadata().getNamespace(), "");
            this.set = ApplySet.idOf(instance);
            this.kept = rendering.steps().stream()
                    .filter(step -> step.fate() == Fate.WAITING)
                    .map(Step::id)
                    .collect(Collectors.toCollection(HashSet::new));
            kept.add("");
            this.desired = rendering.steps().stream()
                    .flatMap(step -> step.objects().stream())
                    .map(ClusterObjects::identity)
                    .collect(Collectors.toSet());
        }

        String make(List<GenericKubernetesResource> ours) {
            List<GenericKubernetesResource> there = ours.stream()
                    .filter(object -> object.getMetadata().getDeletionTimestamp() == null)
                    .toList();
            List<GenericKubernetesResource> stay =
                    there.stream().filter(object -> !isUnwanted(object)).toList();
            ApplySet before = ApplySet.saidBy(instance);
            say(before.and(new ApplySet(kinds, namespaces(there))));
            stay.stream().filter(this::isOutsideSet).forEach(this::enlist);
            apply();
            prune(there);
            SortedSet<String> past = new TreeSet<>(before.kinds());
            past.removeAll(kinds);
            String left = isWaiting() ? "" : pruneFormer(past);
            ApplySet now = new ApplySet(kinds, namespaces(stay));
            say(past.isEmpty() ? now : now.and(new ApplySet(past, before.namespaces())));
            return left;
        }

        /** Has the instance say where its objects are. */
        private void say(ApplySet said) {
            said.toApply(instance)
                    .ifPresent(object -> instance = context.apply(serialization.convertValue(object, type)));
        }

        /** Those of objects that are to be and of objects that are, but for its own. */
        private SortedSet<String> namespaces(Collection<GenericKubernetesResource> there) {
            return Stream.concat(
                            rendering.steps().stream()
                                    .flatMap(step -> step.objects().stream())
                                    .map(object ->
                                            object.at("/metadata/namespace").asText()),
                            there.stream().map(object -> object.getMetadata().getNamespace()))
                    .filter(name -> name != null && !name.isEmpty() && !name.equals(namespace))
                    .collect(Collectors.toCollection(TreeSet::new));
        }

        /** One that is refused keeps only those back that read it. */
        private void apply() {
            Map<String, String> makers = new HashMap<>();
            Set<String> refused = new HashSet<>();
            List<KubernetesClientException> refusals = new ArrayList<>();
            for (Step step : rendering.steps()) {
                if (!Collections.disjoint(refused, checked(step.id()).dependencies())) {
                    refused.add(step.id());
                    continue;
                }
                for (ObjectNode object : step.objects()) {
                    try {
                        applyOnce(step.id(), object, makers);
                    } catch (KubernetesClientException e) {
                        if (!isAboutItAlone(e)) {
                            throw e;
                        }
                        refused.add(step.id());
                        refusals.add(e);
                    }
                }
            }
            if (!refusals.isEmpty()) {
                throw refusals.get(0);
            }
        }

        /**
         * Else the others would be refused as well, such as while the API server is away. Where an object is somebody
         * else's, two ask for the same: neither is to take what the other one lets go of for a moment.
         */
        private static boolean isAboutItAlone(KubernetesClientException failure) {
            return !(failure instanceof ObjectNotOwnedException)
                    && failure.getCode() != HTTP_UNAUTHORIZED
                    && !(ApiFailure.of(failure) instanceof ApiFailure.Unavailable);
        }

        /** @param makers by the identities of their objects */
        private void applyOnce(String id, ObjectNode object, Map<String, String> makers) {
            String identity = ClusterObjects.identity(object);
            String maker = makers.putIfAbsent(identity, id);
            if (maker == null) {
                apply(id, object);
            } else {
                problems.add(placeOf(id), "'" + id + "' and '" + maker + "' make the same object, " + identity);
            }
        }

        private void apply(String id, ObjectNode object) {
            String its = object.path("metadata").path("namespace").asText();
            boolean elsewhere = !namespace.isEmpty() && !its.equals(namespace);
            if (elsewhere && !isWatched(id, its)) {
                problems.add(
                        placeOf(id),
                        "'" + id + "' is in the namespace '" + its + "', which the operator does not watch");
                return;
            }
            boolean orphaned = resource(id).orphaned();
            ObjectNode metadata = object.withObjectProperty("metadata");
            ObjectNode labels = metadata.withObjectProperty("labels")
                    .put(InstanceReconciler.RESOURCE.name(), id)
                    .put(ApplySet.PART_OF.name(), set);
            if (elsewhere || orphaned) {
                labels.put(LooseObjects.INSTANCE.name(), instance.getMetadata().getUid());
            }
            if (orphaned) {
                metadata.withObjectProperty("annotations").put(LooseObjects.POLICY.name(), BlueprintResource.ORPHANED);
            }
            apply(serialization.convertValue(object, version.owned().get(id)), elsewhere || orphaned);
        }

        private <T extends GenericKubernetesResource> void apply(T desired, boolean loose) {
            @SuppressWarnings("unchecked") // an object's class is a class of its type
            Class<T> its = (Class<T>) desired.getClass();
            Optional<T> there = context.lister(its).get(ObjectKey.of(desired));
            if (loose) {
                there.ifPresent(this::requireOurs);
                context.apply(desired, Apply.standard().unowned());
                return;
            }
            boolean wasLoose = there.filter(object -> LooseObjects.isLooseOf(instance, object))
                    .isPresent();
            context.apply(desired, wasLoose ? Apply.standard().adopting() : Apply.standard());
        }

        /** The field manager of what is applied is the same for all instances, and so tells nothing of them. */
        private void requireOurs(GenericKubernetesResource object) {
            String own = instance.getMetadata().getUid();
            String controller = LooseObjects.controllerOf(object);
            if (!controller.isEmpty() && !controller.equals(own)) {
                throw ObjectNotOwnedException.of(object);
            }
            LooseObjects.INSTANCE
                    .of(object)
                    .filter(uid -> !uid.equals(own))
                    .flatMap(uid -> context.lister(type).by(LooseObjects.byUid(), uid).stream()
                            .findFirst())
                    .ifPresent(other -> {
                        throw ObjectNotOwnedException.of(object, other);
                    });
        }

        private boolean isWatched(String id, String where) {
            return !context.lister(Objects.requireNonNull(version.owned().get(id)))
                    .reached(where)
                    .equals(Reached.NOTHING);
        }

        private Place placeOf(String id) {
            return resource(id).body().place();
        }

        private BlueprintResource resource(String id) {
            return checked(id).resource();
        }

        private CheckedResource checked(String id) {
            return version.blueprint().resources().stream()
                    .filter(one -> one.id().equals(id))
                    .findFirst()
                    .orElseThrow();
        }

        /** What waits may come to take the place of something; until then nobody need look for that. */
        private boolean isWaiting() {
            return rendering.steps().stream().anyMatch(step -> step.fate() == Fate.WAITING);
        }

        private boolean isUnwanted(GenericKubernetesResource object) {
            return !kept.contains(idOf(object)) && !desired.contains(ClusterObjects.identity(object));
        }

        /** The last of an order goes first. */
        private void prune(List<GenericKubernetesResource> there) {
            List<String> order = rendering.steps().stream().map(Step::id).toList();
            there.stream()
                    .filter(this::isUnwanted)
                    .sorted((one, other) -> order.indexOf(idOf(other)) - order.indexOf(idOf(one)))
                    .forEach(this::takeAway);
        }

        private void takeAway(GenericKubernetesResource object) {
            if (LooseObjects.isOrphaned(object)) {
                release(object, context);
            } else {
                context.delete(object);
            }
        }

        /** Whether it was made before there were sets, or somebody has taken it out. */
        private boolean isOutsideSet(GenericKubernetesResource object) {
            return !idOf(object).isEmpty()
                    && ApplySet.PART_OF.of(object).filter(set::equals).isEmpty();
        }

        /** With one write, and also where it waits, and so is not applied. */
        private void enlist(GenericKubernetesResource object) {
            ObjectNode patch = JsonNodeFactory.instance.objectNode();
            patch.putObject("metadata").putObject("labels").put(ApplySet.PART_OF.name(), set);
            patch(object, patch, context);
        }

        /**
         * @param past kinds that no revision makes any more; those of which nothing is left are removed
         * @return what could not be taken away, and why; empty for nothing
         */
        private String pruneFormer(SortedSet<String> past) {
            StringBuilder left = new StringBuilder();
            past.removeIf(kind -> {
                try {
                    former.prune(kind, instance, context.client());
                    return true;
                } catch (KubernetesClientException refused) {
                    left.append(left.isEmpty() ? "" : "; ")
                            .append("what earlier revisions have made of the kind ")
                            .append(kind)
                            .append(" cannot be taken away: ")
                            .append(ApiFailure.reason(refused));
                    return false;
                }
            });
            return left.toString();
        }
    }
}

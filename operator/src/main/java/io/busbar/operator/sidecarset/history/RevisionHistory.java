package io.busbar.operator.sidecarset.history;

import io.busbar.common.api.ApiFailure;
import io.busbar.common.watch.Index;
import io.busbar.common.watch.WatchSpec;
import io.busbar.operator.sidecarset.v1beta1.InjectionStrategy;
import io.busbar.operator.sidecarset.v1beta1.SidecarSet;
import io.busbar.operator.sidecarset.v1beta1.SidecarSetStatus;
import io.busbar.reconciler.ReconcileContext;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.apps.ControllerRevision;
import io.fabric8.kubernetes.api.model.apps.ControllerRevisionBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a set's old specs.
 *
 * <p>Any thread, one at a time for each set. Makes no request when the newest revision is the present spec. Throws
 * {@link KubernetesClientException}.
 */
public final class RevisionHistory {

    /** Label of a revision: whose it is. */
    public static final String SET_NAME = "kruise.io/sidecarset-name";

    /** Files revisions under the set's name. */
    public static final Index<ControllerRevision> BY_SET = Index.ofMetadata(
            "sidecarset.revisions",
            revision -> List.of(labels(revision.getMetadata().getLabels()).getOrDefault(SET_NAME, "")));

    private static final Logger log = LoggerFactory.getLogger(RevisionHistory.class);
    private static final int STANDARD_LIMIT = 10;
    private static final Comparator<ControllerRevision> OLDEST_FIRST = Comparator.comparing(
                    ControllerRevision::getRevision)
            .thenComparing(revision -> revision.getMetadata().getName());

    private final String namespace;
    private final Function<ReconcileContext<?>, RevisionWrites> writes;

    /**
     * @param namespace the operator's, where revisions are kept
     */
    public RevisionHistory(String namespace) {
        this(namespace, ClientRevisionWrites::new);
    }

    RevisionHistory(String namespace, Function<ReconcileContext<?>, RevisionWrites> writes) {
        this.namespace = namespace;
        this.writes = writes;
    }

    /** What has to be watched for it. */
    public WatchSpec<ControllerRevision> watch() {
        return WatchSpec.of(ControllerRevision.class)
                .inNamespaces(Set.of(namespace))
                .withLabels(SET_NAME);
    }

    /** Makes the present spec the newest revision. */
    public RegisteredRevision register(SidecarSet set, ReconcileContext<?> context) {
        RevisionData data = RevisionData.of(set.getSpec());
        List<ControllerRevision> history = history(set, context);
        ControllerRevision newest = history.isEmpty() ? null : history.get(history.size() - 1);
        Integer collisions = collisions(set);
        if (newest != null && holds(newest, data)) {
            return new RegisteredRevision(labelled(newest, set, context), collisions);
        }
        long next = newest == null ? 1 : newest.getRevision() + 1;
        for (ControllerRevision revision : history) {
            if (holds(revision, data)) {
                ControllerRevision renumbered =
                        context.remember(writes.apply(context).renumber(revision, next));
                return new RegisteredRevision(labelled(renumbered, set, context), collisions);
            }
        }
        return create(set, data, next, collisions, context);
    }

    /** A set as it was at a revision: with what goes into Pods from there, and all else as it is. */
    public static SidecarSet restored(SidecarSet set, ControllerRevision revision) {
        SidecarSet old = new SidecarSet();
        old.getMetadata().setName(set.getMetadata().getName());
        old.setSpec(RevisionData.of(revision.getData()).restoredIn(set.getSpec()));
        return old;
    }

    /**
     * Deletes the oldest revisions beyond the set's limit, but none that is wanted.
     *
     * @param usedByPods names of revisions; asked for only if there are too many
     */
    public void truncate(SidecarSet set, Supplier<Set<String>> usedByPods, ReconcileContext<?> context) {
        List<ControllerRevision> history = history(set, context);
        Integer limit = set.getSpec().revisionHistoryLimit();
        int tooMany = history.size() - Math.max(1, limit == null ? STANDARD_LIMIT : limit);
        if (tooMany <= 0) {
            return;
        }
        Set<String> used = new HashSet<>(usedByPods.get());
        pinned(set, history)
                .ifPresent(revision -> used.add(revision.getMetadata().getName()));
        history.subList(0, history.size() - 1).stream()
                .filter(revision -> !used.contains(revision.getMetadata().getName()))
                .limit(tooMany)
                .forEach(writes.apply(context)::delete);
    }

    /** Gives a revision the author's present name for it; returns the revision's own. */
    private String labelled(ControllerRevision revision, SidecarSet set, ReconcileContext<?> context) {
        String wanted = set.getSpec().customVersion();
        String present = labels(revision.getMetadata().getLabels()).get(SidecarSet.CUSTOM_VERSION);
        if (wanted != null && !wanted.equals(present)) {
            context.remember(writes.apply(context).label(revision, SidecarSet.CUSTOM_VERSION, wanted));
        }
        return revision.getMetadata().getName();
    }

    private RegisteredRevision create(
            SidecarSet set,
            RevisionData data,
            long number,
            @Nullable Integer collisionsBefore,
            ReconcileContext<?> context) {
        for (int collisions = collisionsBefore == null ? 0 : collisionsBefore; ; collisions++) {
            ControllerRevision wanted = revision(set, data, number, collisions);
            try {
                ControllerRevision created =
                        context.remember(writes.apply(context).create(wanted));
                log.atInfo()
                        .addKeyValue("revision", created.getMetadata().getName())
                        .log("kept a new revision");
                return new RegisteredRevision(created.getMetadata().getName(), collisions == 0 ? null : collisions);
            } catch (KubernetesClientException failure) {
                if (!(ApiFailure.of(failure) instanceof ApiFailure.Conflict)) {
                    throw failure;
                }
                ControllerRevision there = writes.apply(context).read(wanted).orElseThrow(() -> failure);
                if (holds(there, data)) {
                    context.remember(there);
                    return new RegisteredRevision(there.getMetadata().getName(), collisions == 0 ? null : collisions);
                }
            }
        }
    }

    private ControllerRevision revision(SidecarSet set, RevisionData data, long number, int collisions) {
        Map<String, String> labels = new HashMap<>();
        labels.put(SET_NAME, set.getMetadata().getName());
        String customVersion = set.getSpec().customVersion();
        if (customVersion != null) {
            labels.put(SidecarSet.CUSTOM_VERSION, customVersion);
        }
        return new ControllerRevisionBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName(set.getMetadata().getName() + "-" + data.hash(collisions))
                .withLabels(labels)
                .withOwnerReferences(new OwnerReferenceBuilder()
                        .withApiVersion(set.getApiVersion())
                        .withKind(set.getKind())
                        .withName(set.getMetadata().getName())
                        .withUid(set.getMetadata().getUid())
                        .withController(true)
                        .withBlockOwnerDeletion(true)
                        .build())
                .endMetadata()
                .withRevision(number)
                .withData(data.json())
                .build();
    }

    /** A set that was deleted and made anew under its name starts a history of its own. */
    private static List<ControllerRevision> history(SidecarSet set, ReconcileContext<?> context) {
        return context
                .lister(ControllerRevision.class)
                .by(BY_SET, set.getMetadata().getName())
                .stream()
                .filter(revision -> revision.getMetadata().getOwnerReferences().stream()
                        .anyMatch(
                                owner -> owner.getUid().equals(set.getMetadata().getUid())))
                .sorted(OLDEST_FIRST)
                .toList();
    }

    private static boolean holds(ControllerRevision revision, RevisionData data) {
        return RevisionData.of(revision.getData()).equals(data);
    }

    private static Optional<ControllerRevision> pinned(SidecarSet set, List<ControllerRevision> history) {
        InjectionStrategy strategy = set.getSpec().injectionStrategy();
        return strategy == null || strategy.revision() == null
                ? Optional.empty()
                : RevisionLookup.among(history, strategy.revision());
    }

    private static @Nullable Integer collisions(SidecarSet set) {
        SidecarSetStatus status = set.getStatus();
        return status == null ? null : status.collisionCount();
    }

    private static Map<String, String> labels(@Nullable Map<String, String> labels) {
        return labels == null ? Map.of() : labels;
    }
}

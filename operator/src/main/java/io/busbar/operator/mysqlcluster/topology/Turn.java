package io.busbar.operator.mysqlcluster.topology;

import io.busbar.common.condition.ConditionReason;
import io.busbar.common.condition.Conditions;
import io.busbar.operator.mysqlcluster.member.Fleet;
import io.busbar.operator.mysqlcluster.member.Member;
import io.busbar.operator.mysqlcluster.member.Members;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLCluster;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLClusterSpec;
import io.busbar.reconciler.ReconcileContext;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** One look at a cluster, and what is done about what is seen. For the thread of one reconcile. */
public final class Turn {

    private final ReconcileContext<MySQLCluster> context;
    private final Fleet fleet;
    private final StatefulSet statefulSet;
    private final Map<String, Pod> pods = new LinkedHashMap<>();
    private final Clock clock;
    private final Function<Turn, MySQLCluster> report;
    private final Draft draft;
    private MySQLCluster cluster;
    private Members members = new Members(List.of());
    private @Nullable String fenced;

    /**
     * @param statefulSet as it is
     * @param pods of the StatefulSet
     * @param report what there is to tell: the cluster with its next status
     */
    public Turn(
            MySQLCluster cluster,
            ReconcileContext<MySQLCluster> context,
            Fleet fleet,
            StatefulSet statefulSet,
            List<Pod> pods,
            Clock clock,
            Function<Turn, MySQLCluster> report) {
        this.cluster = cluster;
        this.context = context;
        this.fleet = fleet;
        this.statefulSet = statefulSet;
        pods.forEach(this::changed);
        this.clock = clock;
        this.report = report;
        this.draft = new Draft(cluster.told());
    }

    /** Asks all servers, but one that is fenced. */
    public void look() throws InterruptedException {
        draft.forget();
        members = fleet.observe(pods.values(), replicas(), draft.primary(), fenced);
    }

    /** A Pod is not any more what it was at the beginning of the turn. */
    void changed(Pod pod) {
        pods.put(pod.getMetadata().getName(), pod);
    }

    /** Of a member, as this turn has left it; those that were looked at may have it as it was before. */
    Optional<Pod> pod(Member member) {
        return Optional.ofNullable(pods.get(member.name()));
    }

    /** Asks those that take writes once more, so that they are known to have whatever a replica has ever had from them. */
    void lookAgainAtWritable() throws InterruptedException {
        List<Member> asked = new ArrayList<>();
        for (Member member : members.all()) {
            asked.add(member.isWritable() ? fleet.ask(member) : member);
        }
        members = new Members(asked);
    }

    /** Who takes no writes any more is not asked any more in this turn: nobody waits for an answer that may never come. */
    void fenced(Member member) {
        fenced = member.name();
    }

    /** Writes what there is to tell, so that the next operator knows it whatever happens to this one. */
    public void save() {
        cluster = context.status(report.apply(this));
    }

    /** As it was at the beginning of the turn, or after the last save. */
    public MySQLCluster cluster() {
        return cluster;
    }

    public MySQLClusterSpec spec() {
        return cluster.wanted();
    }

    public ReconcileContext<MySQLCluster> context() {
        return context;
    }

    public Fleet fleet() {
        return fleet;
    }

    public StatefulSet statefulSet() {
        return statefulSet;
    }

    /** How many members the StatefulSet is asked for. */
    public int replicas() {
        Integer replicas = statefulSet.getSpec().getReplicas();
        return replicas == null ? 1 : replicas;
    }

    public Draft draft() {
        return draft;
    }

    public Members members() {
        return members;
    }

    public Optional<Member> primary() {
        return members.named(draft.primary());
    }

    /** The primary, if it takes writes. */
    public Optional<Member> servingPrimary() {
        return primary().filter(Member::isWritable);
    }

    /** Whether a member is fit to be read from. */
    public boolean keepsUp(Member member) {
        return primary().filter(source -> Roles.keepsUp(this, member, source)).isPresent();
    }

    /** Since when the primary is away, in RFC 3339; null while it is there. */
    public @Nullable String primaryFailingSince() {
        return draft.primaryFailingSince();
    }

    public Instant now() {
        return clock.instant();
    }

    /** Whether a condition did not give this reason before, so that an Event tells of it once and not at every turn. */
    public boolean isNew(ConditionReason reason) {
        return Conditions.find(cluster.told().conditions(), reason.type())
                .filter(before -> reason.reason().equals(before.getReason()))
                .isEmpty();
    }

    /** Notes what needs somebody, with the remedy, and tells of it by an Event when the condition did not give this reason before. */
    public void trouble(ConditionReason reason, String event, String action, String message) {
        boolean isNew = isNew(reason);
        if (draft.note(reason, message) && isNew) {
            warn(event, action, message);
        }
    }

    public void tell(String reason, String action, String note) {
        context.events().normal(cluster, reason, action, note);
    }

    public void warn(String reason, String action, String note) {
        context.events().warning(cluster, reason, action, note);
    }
}

package io.busbar.operator.mysqlcluster.topology;

import io.busbar.common.condition.ConditionReason;
import io.busbar.operator.mysqlcluster.v1alpha1.FailoverStatus;
import io.busbar.operator.mysqlcluster.v1alpha1.LastBackup;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLClusterStatus;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What is to be told of a cluster, as it comes together during a turn. For one thread. */
public final class Draft {

    private final Map<String, Note> notes = new LinkedHashMap<>();
    private final Set<String> joining = new HashSet<>();
    private @Nullable ConditionReason phase;
    private @Nullable String primary;
    private @Nullable String primaryFailingSince;
    private FailoverStatus failover;
    private int targetSize;
    private @Nullable LastBackup lastBackup;
    private @Nullable String nextBackupTime;
    private @Nullable String currentRevision;
    private boolean outOfService;
    private @Nullable Note standing;
    private @Nullable String replaced;

    /**
     * Something that a condition is to say.
     *
     * <p>Immutable.
     *
     * @param message for people, with the remedy where one is needed
     */
    public record Note(ConditionReason reason, String message) {}

    Draft(MySQLClusterStatus before) {
        primary = before.currentPrimary();
        primaryFailingSince = before.primaryFailingSince();
        failover = before.failover();
        targetSize = before.targetSize();
        lastBackup = before.lastBackup();
        nextBackupTime = before.nextBackupTime();
        currentRevision = before.currentRevision();
    }

    /** Of what goes on, the first that is said counts. */
    public void phase(ConditionReason reason) {
        phase = phase == null ? reason : phase;
    }

    public Optional<ConditionReason> phase() {
        return Optional.ofNullable(phase);
    }
    /**
     * Has a condition give a reason; of several for the same type the first counts.
     *
     * @return whether this is what counts
     */
    public boolean note(ConditionReason reason, String message) {
        return notes.putIfAbsent(reason.type(), new Note(reason, message)) == null;
    }

    public Optional<Note> noted(String condition) {
        return Optional.ofNullable(notes.get(condition));
    }

    /**
     * Makes the condition {@value ConditionTypes#DEGRADED} true in the whole turn, unless something else is noted for
     * it.
     */
    public void standingTrouble(ConditionReason reason, String message) {
        standing = new Note(reason, message);
    }

    /** What somebody must look at first. */
    public Optional<Note> degradation() {
        return noted(ConditionTypes.DEGRADED).or(() -> Optional.ofNullable(standing));
    }

    public boolean isDegraded() {
        return degradation().isPresent();
    }

    /** What was noted before is looked at anew. */
    void forget() {
        notes.clear();
        joining.clear();
        phase = null;
    }

    /**
     * A member is about to be told to follow the primary.
     *
     * @param member by its name
     */
    void joins(String member) {
        joining.add(member);
    }

    public boolean isJoining(String member) {
        return joining.contains(member);
    }

    public @Nullable String primary() {
        return primary;
    }

    void primary(@Nullable String name) {
        primary = name;
    }

    @Nullable
    String primaryFailingSince() {
        return primaryFailingSince;
    }

    void primaryFailingSince(@Nullable String time) {
        primaryFailingSince = time;
    }

    public FailoverStatus failover() {
        return failover;
    }

    void failover(FailoverStatus next) {
        failover = next;
    }

    public int targetSize() {
        return targetSize;
    }

    public void targetSize(int size) {
        targetSize = size;
    }

    public @Nullable LastBackup lastBackup() {
        return lastBackup;
    }

    public void lastBackup(@Nullable LastBackup backup) {
        lastBackup = backup;
    }

    /** No Service leads to any member. */
    public void outOfService() {
        outOfService = true;
    }

    boolean isOutOfService() {
        return outOfService;
    }

    /**
     * The data of a member was replaced on purpose: what it had before is of no account any more.
     *
     * @param member by its name
     */
    public void replaced(String member) {
        replaced = member;
    }

    public boolean isReplaced(String member) {
        return member.equals(replaced);
    }

    /** Whether that was so with any. */
    public boolean isAnyReplaced() {
        return replaced != null;
    }

    public @Nullable String nextBackupTime() {
        return nextBackupTime;
    }

    public void nextBackupTime(@Nullable String time) {
        nextBackupTime = time;
    }

    /** What all members ran last. */
    public @Nullable String currentRevision() {
        return currentRevision;
    }

    public void currentRevision(@Nullable String revision) {
        currentRevision = revision;
    }
}

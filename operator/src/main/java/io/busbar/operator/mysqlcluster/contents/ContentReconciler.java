package io.busbar.operator.mysqlcluster.contents;

import io.busbar.common.ObjectKey;
import io.busbar.common.condition.ConditionReason;
import io.busbar.common.condition.Conditions;
import io.busbar.operator.mysqlcluster.contents.Content.Applied;
import io.busbar.operator.mysqlcluster.sql.Contents;
import io.busbar.operator.mysqlcluster.sql.SqlFailure;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLCluster;
import io.busbar.reconciler.CleanupResult;
import io.busbar.reconciler.ReconcileContext;
import io.busbar.reconciler.ReconcileResult;
import io.busbar.reconciler.Reconciler;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.Clock;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * Has the primary of a cluster hold what an object stands for, and tells whether it does: whatever is changed there by
 * others is changed back when the object is looked at next. Any thread; waits for the server.
 */
final class ContentReconciler<T extends HasMetadata> implements Reconciler<T> {

    /** What nobody has to wait for who does not mend it. */
    private static final Set<ConditionReason> TO_MEND = Set.of(ContentReasons.REFUSED, ContentReasons.TAKEN);

    private static final Duration AGAIN = Duration.ofSeconds(5);

    private final Content<T> content;
    private final Primaries primaries;
    private final Clock clock;

    ContentReconciler(Content<T> content, Primaries primaries, Clock clock) {
        this.content = content;
        this.primaries = primaries;
        this.clock = clock;
    }

    @Override
    public ReconcileResult reconcile(T object, ReconcileContext<T> context) throws InterruptedException {
        try (Contents contents = primaries.open(cluster(object), context)) {
            Applied<T> applied = content.apply(object, contents, context);
            tell(applied.object(), ContentReasons.APPLIED, applied.message(), context);
            return applied.again().map(ReconcileResult::requeueAfter).orElseGet(ReconcileResult::awaitChange);
        } catch (Unready unready) {
            tell(asTold(object, context), unready.reason(), unready.message(), context);
            return ReconcileResult.awaitChange();
        } catch (SqlFailure failure) {
            if (isRefused(failure)) {
                tell(asTold(object, context), ContentReasons.REFUSED, text(failure), context);
                return ReconcileResult.awaitChange();
            }
            tell(asTold(object, context), ContentReasons.UNREACHABLE, text(failure), context);
            return ReconcileResult.requeue();
        }
    }

    @Override
    public CleanupResult cleanup(T object, ReconcileContext<T> context) throws InterruptedException {
        Optional<MySQLCluster> cluster = context.lister(MySQLCluster.class).get(cluster(object));
        boolean isGone = cluster.filter(one -> !one.isMarkedForDeletion()).isEmpty();
        if (isGone || content.isLeft(object, context)) {
            return CleanupResult.done();
        }
        try (Contents contents = primaries.open(cluster(object), context)) {
            content.remove(object, contents, context);
            return CleanupResult.done();
        } catch (Unready unready) {
            if (unready.reason().equals(ContentReasons.NOT_REPLICATED)) {
                return CleanupResult.done();
            }
            tell(object, unready.reason(), unready.message(), context);
        } catch (SqlFailure failure) {
            tell(
                    object,
                    isRefused(failure) ? ContentReasons.REFUSED : ContentReasons.UNREACHABLE,
                    text(failure),
                    context);
        }
        return CleanupResult.notYet(AGAIN);
    }

    private ObjectKey cluster(T object) {
        return Namesakes.cluster(object, content.cluster(object));
    }

    /** With what was announced before it failed. */
    private T asTold(T object, ReconcileContext<T> context) {
        return context.lister(Namesakes.type(object)).get(context.key()).orElse(object);
    }

    private static boolean isRefused(SqlFailure failure) {
        return failure.kind() == SqlFailure.Kind.REFUSED || failure.kind() == SqlFailure.Kind.DISK_FULL;
    }

    private static String text(SqlFailure failure) {
        return String.valueOf(failure.getMessage());
    }

    /** An Event says so once of what somebody has to mend. */
    private void tell(T object, ConditionReason reason, String message, ReconcileContext<T> context) {
        Optional<Condition> before = Conditions.find(content.conditions(object), ContentReasons.READY);
        long generation = Objects.requireNonNullElse(object.getMetadata().getGeneration(), 0L);
        context.status(content.with(
                object,
                Conditions.of(content.conditions(object), generation, clock.instant())
                        .with(reason, message)
                        .list()));
        boolean isNew = before.filter(
                        told -> told.getReason().equals(reason.reason()) && message.equals(told.getMessage()))
                .isEmpty();
        if (isNew && TO_MEND.contains(reason)) {
            context.events().warning(object, reason.reason(), "Apply", message);
        }
    }
}

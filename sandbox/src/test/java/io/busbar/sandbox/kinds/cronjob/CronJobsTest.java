package io.busbar.sandbox.kinds.cronjob;

import static io.busbar.sandbox.Json.object;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.common.ObjectKey;
import io.busbar.sandbox.FakeStore;
import io.busbar.sandbox.clock.ClusterClock;
import io.busbar.sandbox.controller.ControllerContext;
import io.busbar.sandbox.controller.ControllerLoop;
import io.busbar.sandbox.controller.Kind;
import io.busbar.sandbox.controller.OwnedIndexes;
import io.busbar.sandbox.storage.Metadata;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import io.vertx.junit5.VertxTestContext;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The controller on a store; time stands still at three minutes past midnight. */
@ExtendWith(VertxExtension.class)
class CronJobsTest {

    private static final ObjectKey C = ObjectKey.of("n", "c");
    private static final InstantSource CLOCK = InstantSource.fixed(Instant.parse("2026-01-01T00:03:00Z"));
    private static final String SINCE_MIDNIGHT = "creationTimestamp: '2026-01-01T00:00:00Z'";
    private static final String DUE =
            "c-" + Instant.parse("2026-01-01T00:02:00Z").getEpochSecond() / 60;

    @Test
    void makes_one_job_for_all_times_that_were_missed(Vertx vertx, VertxTestContext test) {
        cluster(vertx, test, store -> {
            create(store, "");
            return status(store, status -> status.path("active").size() == 1).map(cronJob -> {
                assertThat(jobs(store)).containsExactly(DUE);
                assertThat(cronJob.at("/status/lastScheduleTime").asText()).isEqualTo("2026-01-01T00:02:00Z");
                assertThat(cronJob.at("/status/active/0/name").asText()).isEqualTo(DUE);
                ObjectNode job = store.list(Kind.JOB.resource()).get(0);
                assertThat(job.at("/spec/backoffLimit").asInt()).isEqualTo(4);
                assertThat(job.at("/metadata/labels/l").asText()).isEqualTo("m");
                assertThat(job.at("/metadata/ownerReferences/0/name").asText()).isEqualTo("c");
                return cronJob;
            });
        });
    }

    @Test
    void makes_none_while_it_is_suspended_or_too_late(Vertx vertx, VertxTestContext test) {
        cluster(vertx, test, store -> {
            create(store, ", suspend: true");
            return later(vertx)
                    .compose(quiet -> store.update(Kind.CRON_JOB.resource(), C, cronJob -> {
                        cronJob.withObject("/spec").put("suspend", false).put("startingDeadlineSeconds", 30);
                        return cronJob;
                    }))
                    .compose(changed -> later(vertx))
                    .map(quiet -> {
                        assertThat(jobs(store)).isEmpty();
                        return store;
                    });
        });
    }

    @Test
    void makes_none_while_another_runs_when_that_is_forbidden(Vertx vertx, VertxTestContext test) {
        cluster(vertx, test, store -> {
            job(store, "before", "{}");
            create(store, ", concurrencyPolicy: 'Forbid'");
            return status(store, status -> status.path("active").size() == 1).map(cronJob -> {
                assertThat(jobs(store)).containsExactly("before");
                return cronJob;
            });
        });
    }

    @Test
    void takes_the_place_of_another_when_told_so(Vertx vertx, VertxTestContext test) {
        cluster(vertx, test, store -> {
            job(store, "before", "{}");
            create(store, ", concurrencyPolicy: 'Replace'");
            return status(
                            store,
                            status -> status.at("/active/0/name").asText().equals(DUE)
                                    && status.path("active").size() == 1)
                    .map(cronJob -> {
                        assertThat(jobs(store)).containsExactly(DUE);
                        return cronJob;
                    });
        });
    }

    @Test
    void forgets_old_jobs(Vertx vertx, VertxTestContext test) {
        String complete = "{completionTime: '2026-01-01T00:00:30Z', conditions: [{type: 'Complete', status: 'True'}]}";
        cluster(vertx, test, store -> {
            for (String name : List.of("j1", "j2", "j3")) {
                job(store, name, complete);
            }
            create(store, ", suspend: true, successfulJobsHistoryLimit: 1");
            return status(store, status -> status.has("lastSuccessfulTime")).map(cronJob -> {
                assertThat(jobs(store)).containsExactly("j3");
                return cronJob;
            });
        });
    }

    private static void create(FakeStore store, String more) {
        store.create(
                Kind.CRON_JOB.resource(),
                object("{metadata: {name: 'c', namespace: 'n', uid: 'u', " + SINCE_MIDNIGHT
                        + "}, spec: {schedule: '*/2 * * * *', jobTemplate: {metadata: {labels: {l: 'm'}}, spec:"
                        + " {backoffLimit: 4}}" + more + "}}"));
    }

    private static void job(FakeStore store, String name, String status) {
        store.create(
                Kind.JOB.resource(),
                object("{metadata: {name: '" + name
                        + "', namespace: 'n', ownerReferences: [{apiVersion: 'batch/v1', kind: 'CronJob', name: 'c', uid: 'u',"
                        + " controller: true}]}, status: " + status + "}"));
    }

    private static List<String> jobs(FakeStore store) {
        return store.list(Kind.JOB.resource()).stream()
                .map(job -> Metadata.of(job).name())
                .toList();
    }

    private static Future<ObjectNode> status(FakeStore store, Predicate<JsonNode> wanted) {
        Promise<ObjectNode> seen = Promise.promise();
        store.watch(Kind.CRON_JOB.resource(), event -> {
            if (wanted.test(event.object().path("status"))) {
                seen.tryComplete(event.object());
            }
        });
        return seen.future();
    }

    /** Lets what is already queued on the context go first. */
    private static Future<Void> later(Vertx vertx) {
        Promise<Void> next = Promise.promise();
        vertx.runOnContext(a -> vertx.runOnContext(b -> vertx.runOnContext(c -> next.complete())));
        return next.future();
    }

    private interface Story {
        Future<?> tell(FakeStore store);
    }

    private static void cluster(Vertx vertx, VertxTestContext test, Story story) {
        vertx.runOnContext(turn -> {
            FakeStore store = new FakeStore(vertx.getOrCreateContext());
            OwnedIndexes owned = OwnedIndexes.of(store);
            store.watch(null, owned::changed);
            ControllerLoop loop = CronJobs.start(
                    new ControllerContext("cronjob-controller", vertx, store, ClusterClock.of(vertx, CLOCK), owned));
            story.tell(store).onComplete(test.succeeding(told -> {
                loop.stop();
                test.completeNow();
            }));
        });
    }
}

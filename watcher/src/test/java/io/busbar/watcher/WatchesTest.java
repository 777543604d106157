package io.busbar.watcher;

import static io.busbar.watcher.ScriptedServer.await;
import static io.busbar.watcher.ScriptedServer.error;
import static io.busbar.watcher.ScriptedServer.event;
import static io.busbar.watcher.ScriptedServer.object;
import static io.busbar.watcher.WatchesTestBed.MAPS;
import static io.busbar.watcher.WatchesTestBed.names;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.busbar.common.ObjectKey;
import io.busbar.common.bus.Addresses;
import io.busbar.common.bus.Cause;
import io.busbar.common.bus.Reason;
import io.busbar.common.bus.ReconcileRequest;
import io.busbar.common.bus.ResourceChanged;
import io.busbar.common.bus.ResourceListed;
import io.busbar.common.guard.Faults;
import io.busbar.common.guard.SlowCalls;
import io.busbar.common.trace.Tracing;
import io.busbar.common.watch.ChangePredicate;
import io.busbar.common.watch.Index;
import io.busbar.common.watch.KeyMapping;
import io.busbar.common.watch.Trigger;
import io.busbar.common.watch.WatchRequest;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Pod;
import io.micrometer.core.instrument.Counter;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.sdk.trace.data.SpanData;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** How watches are shared, and what controllers are told. */
class WatchesTest {

    private static final Index<ConfigMap> BY_OWNER = new Index<>("owner", WatchesTest::owners);

    @Test
    void equal_specs_share_one_watch_until_the_last_holder_lets_go() throws Exception {
        try (WatchesTestBed bed = new WatchesTestBed(false)) {
            bed.server.thenList("10", "", object("a", "1")).thenWatch();
            WatchHandle<ConfigMap> first = bed.acquire();
            WatchHandle<ConfigMap> second = bed.acquire();
            await(first.synced());
            await(second.synced());
            assertThat(second.lister()).isSameAs(first.lister());
            bed.server.request();
            bed.server.request();

            await(first.close());
            await(first.close());
            bed.server.say(event("ADDED", object("b", "11")));
            assertThat(bed.change()).isEqualTo("ADDED n/a 1");
            assertThat(bed.change()).isEqualTo("ADDED n/b 11");
            assertThat(names(second.lister().list())).containsExactly("a", "b");

            await(second.close());
            assertThat(bed.server.closed()).contains("watch=true");
            assertThatThrownBy(() -> bed.watches.lister(ConfigMap.class)).isInstanceOf(IllegalArgumentException.class);
            assertThat(bed.meters.getMeters())
                    .extracting(meter -> meter.getId().getName())
                    .as("what was thrown is no watch's own")
                    .containsOnly("busbar_panics");
        }
    }

    @Test
    void equal_declarations_share_a_watch_whatever_lambdas_they_hold_and_each_reads_its_own_index() throws Exception {
        try (WatchesTestBed bed = new WatchesTestBed(false)) {
            bed.server.thenList("10", "", owned("a", "1", "x")).thenWatch();
            BlockingQueue<ReconcileRequest> first = bed.requests("first");
            BlockingQueue<ReconcileRequest> second = bed.requests("second");
            Index<ConfigMap> byOwner = new Index<>("by", map -> owners(map));
            Index<ConfigMap> byName =
                    new Index<>("by", map -> List.of(map.getMetadata().getName()));
            WatchHandle<ConfigMap> one = bed.watches.acquire(new WatchRequest<ConfigMap>(
                    MAPS.transformedBy("as-is", map -> map),
                    List.of(byOwner),
                    List.of(new Trigger<>("first", change -> true, KeyMapping.self()))));
            await(one.synced());
            WatchHandle<ConfigMap> other = bed.watches.acquire(new WatchRequest<ConfigMap>(
                    MAPS.transformedBy("as-is", map -> map.edit().build()),
                    List.of(byName),
                    List.of(new Trigger<>(
                            "second", change -> true, (map, listers) -> List.of(ObjectKey.of("n", "of-second"))))));
            await(other.synced());

            assertThat(bed.watches.statuses()).as("watches").hasSize(1);
            assertThat(names(one.lister().by(byOwner, "x"))).containsExactly("a");
            assertThat(names(other.lister().by(byName, "a"))).containsExactly("a");
            assertThat(names(other.lister().by(byName, "x"))).isEmpty();
            assertThat(next(first).key()).isEqualTo(ObjectKey.of("n", "a"));
            assertThat(next(second).key()).isEqualTo(ObjectKey.of("n", "of-second"));
        }
    }

    @Test
    void specs_that_differ_have_watches_of_their_own() throws Exception {
        try (WatchesTestBed bed = new WatchesTestBed(false)) {
            bed.server.thenList("10", "", object("a", "1"));
            WatchHandle<ConfigMap> whole = bed.acquire();
            await(whole.synced());
            bed.server.request();
            bed.server.request();
            bed.server.thenList("10", "", object("b", "1"));
            WatchHandle<ConfigMap> some = bed.watches.acquire(WatchRequest.readOnly(MAPS.withLabels("x=y"), List.of()));
            await(some.synced());

            assertThat(names(bed.watches.lister(ConfigMap.class).list())).containsExactly("a");
            assertThat(names(some.lister().list())).containsExactly("b");
            assertThat(bed.watches.statuses())
                    .extracting(WatchStatus::name)
                    .containsExactly("configmaps", "configmaps#2");
            assertThat(bed.watches.statuses()).allSatisfy(status -> {
                assertThat(status.synced()).isTrue();
                assertThat(status.objects()).isEqualTo(1);
                assertThat(status.staleness()).isLessThan(Duration.ofSeconds(10));
            });
        }
    }

    @Test
    void tells_a_controller_of_the_primaries_before_and_after_a_change() throws Exception {
        try (WatchesTestBed bed = new WatchesTestBed(false)) {
            BlockingQueue<ReconcileRequest> requests = bed.requests("c");
            bed.server
                    .thenList("10", "", owned("a", "1", "x"))
                    .thenWatch(
                            event("MODIFIED", owned("a", "11", "y")),
                            event("MODIFIED", owned("a", "12", "y")),
                            event("DELETED", owned("a", "13", "z")));
            bed.watches.acquire(triggering("c", ChangePredicate.changed(WatchesTest::owners)));

            assertThat(nextWithoutCause(requests))
                    .isEqualTo(new ReconcileRequest(ObjectKey.of("n", "x"), Reason.INITIAL_LIST));
            assertThat(nextWithoutCause(requests))
                    .isEqualTo(new ReconcileRequest(ObjectKey.of("n", "x"), Reason.CHANGE));
            assertThat(nextWithoutCause(requests))
                    .isEqualTo(new ReconcileRequest(ObjectKey.of("n", "y"), Reason.CHANGE));
            assertThat(nextWithoutCause(requests))
                    .isEqualTo(new ReconcileRequest(ObjectKey.of("n", "z"), Reason.CHANGE));
        }
    }

    @Test
    void tells_a_controller_which_change_of_which_object_and_of_which_version_it_was() throws Exception {
        try (WatchesTestBed bed = new WatchesTestBed(false)) {
            BlockingQueue<ReconcileRequest> requests = bed.requests("c");
            bed.server
                    .thenList("10", "", owned("a", "1", "x"))
                    .thenWatch(
                            event("ADDED", owned("b", "11", "x")),
                            event("MODIFIED", owned("b", "12", "x")),
                            event("MODIFIED", owned("a", "13", "y")),
                            event("DELETED", owned("b", "14", "x")));
            bed.watches.acquire(triggering("c", ChangePredicate.always()));

            List<Cause> causes = new ArrayList<>();
            for (int i = 0; i < 6; i++) {
                causes.add(next(requests).cause());
            }
            assertThat(causes)
                    .as("one for each primary: the one before the change of a, and the one after")
                    .containsExactly(
                            new Cause(Cause.How.LISTED, "ConfigMap", ObjectKey.of("n", "a"), "1"),
                            new Cause(Cause.How.ADDED, "ConfigMap", ObjectKey.of("n", "b"), "11"),
                            new Cause(Cause.How.MODIFIED, "ConfigMap", ObjectKey.of("n", "b"), "12"),
                            new Cause(Cause.How.MODIFIED, "ConfigMap", ObjectKey.of("n", "a"), "13"),
                            new Cause(Cause.How.MODIFIED, "ConfigMap", ObjectKey.of("n", "a"), "13"),
                            new Cause(Cause.How.DELETED, "ConfigMap", ObjectKey.of("n", "b"), "14"));
        }
    }

    @Test
    void a_change_that_makes_a_controller_work_begins_a_trace() throws Exception {
        try (WatchesTestBed bed = new WatchesTestBed(false, true)) {
            BlockingQueue<ReconcileRequest> requests = bed.requests("c");
            bed.server
                    .thenList("10", "", owned("a", "1", "x"))
                    .thenWatch(
                            event("MODIFIED", owned("a", "11", "x")),
                            event("MODIFIED", owned("a", "12", "y")),
                            event("DELETED", owned("a", "13", "y")));
            bed.watches.acquire(triggering("c", ChangePredicate.changed(WatchesTest::owners)));

            List<String> traceparents = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                traceparents.add(next(requests).traceparent());
            }
            assertThat(traceparents.get(1)).isEqualTo(traceparents.get(2));
            await(bed.watches.close());
            assertThat(bed.spans.getFinishedSpanItems())
                    .as("none of the first modification, which concerns nobody")
                    .extracting(
                            SpanData::getName,
                            span -> span.getAttributes().get(AttributeKey.stringKey("change")),
                            span -> span.getAttributes().get(AttributeKey.stringKey("resourceVersion")))
                    .containsExactly(
                            tuple("watch configmaps", "listed", "1"),
                            tuple("watch configmaps", "modified", "12"),
                            tuple("watch configmaps", "deleted", "13"));
            assertThat(bed.spans.getFinishedSpanItems())
                    .allSatisfy(span ->
                            assertThat(span.getParentSpanContext().isValid()).isFalse())
                    .extracting(SpanData::getSpanId)
                    .containsExactly(
                            Tracing.context(traceparents.get(0)).getSpanId(),
                            Tracing.context(traceparents.get(1)).getSpanId(),
                            Tracing.context(traceparents.get(3)).getSpanId());
        }
    }

    @Test
    void writes_the_store_before_it_tells_the_bus() throws Exception {
        try (WatchesTestBed bed = new WatchesTestBed(false)) {
            BlockingQueue<ReconcileRequest> requests = bed.requests("c");
            bed.server.thenList("10", "", object("a", "1")).thenWatch();
            WatchHandle<ConfigMap> watch = bed.watches.acquire(triggering("c", ChangePredicate.always()));

            assertThat(watch.lister().get(next(requests).key())).isPresent();
        }
    }

    @Test
    void a_late_holder_gets_its_index_filled_and_hears_of_what_is_there() throws Exception {
        try (WatchesTestBed bed = new WatchesTestBed(false)) {
            bed.server
                    .thenList("10", "", owned("a", "1", "x"), owned("b", "2", "y"))
                    .thenWatch();
            await(bed.acquire().synced());
            BlockingQueue<ReconcileRequest> requests = bed.requests("c");
            WatchHandle<ConfigMap> late = bed.watches.acquire(new WatchRequest<>(
                    MAPS,
                    List.of(BY_OWNER),
                    triggering("c", ChangePredicate.always()).triggers()));
            await(late.synced());

            assertThat(names(late.lister().by(BY_OWNER, "y"))).containsExactly("b");
            assertThat(List.of(nextWithoutCause(requests), nextWithoutCause(requests)))
                    .containsExactlyInAnyOrder(
                            new ReconcileRequest(ObjectKey.of("n", "x"), Reason.INITIAL_LIST),
                            new ReconcileRequest(ObjectKey.of("n", "y"), Reason.INITIAL_LIST));
            bed.server.say(event("ADDED", owned("c", "11", "y")));
            assertThat(next(requests).reason()).isEqualTo(Reason.CHANGE);
            assertThat(names(late.lister().by(BY_OWNER, "y"))).containsExactly("b", "c");
        }
    }

    @Test
    void a_holder_that_has_let_go_hears_no_more() throws Exception {
        try (WatchesTestBed bed = new WatchesTestBed(false)) {
            bed.server.thenList("10", "").thenWatch();
            BlockingQueue<ReconcileRequest> gone = bed.requests("gone");
            BlockingQueue<ReconcileRequest> stays = bed.requests("stays");
            WatchHandle<ConfigMap> leaving = bed.watches.acquire(triggering("gone", ChangePredicate.always()));
            WatchHandle<ConfigMap> staying = bed.watches.acquire(triggering("stays", ChangePredicate.always()));
            await(leaving.synced());
            await(staying.synced());
            bed.server.request();
            bed.server.request();
            await(leaving.close());
            bed.server.say(event("ADDED", object("a", "11")));

            next(stays);
            assertThat(gone).isEmpty();
        }
    }

    @ParameterizedTest
    @MethodSource("io.busbar.common.guard.Faults#all")
    void a_predicate_that_fails_lets_the_change_pass_and_a_mapping_that_fails_stops_nothing(Throwable thrown)
            throws Exception {
        try (WatchesTestBed bed = new WatchesTestBed(false)) {
            BlockingQueue<ReconcileRequest> requests = bed.requests("c");
            bed.server
                    .thenList("10", "", owned("a", "1", "x"), object("b", "2"), owned("c", "3", "y"))
                    .thenWatch();
            KeyMapping<ConfigMap> failing = (map, listers) -> {
                Faults.raise(map.getMetadata().getName().equals("b") ? thrown : null);
                return List.of(ObjectKey.of("n", map.getMetadata().getLabels().get("owner")));
            };
            bed.watches.acquire(new WatchRequest<ConfigMap>(
                    MAPS,
                    List.of(),
                    List.of(new Trigger<>(
                            "c",
                            change -> {
                                Faults.raise(thrown);
                                return false;
                            },
                            failing))));

            assertThat(next(requests).key()).isEqualTo(ObjectKey.of("n", "x"));
            assertThat(next(requests).key()).isEqualTo(ObjectKey.of("n", "y"));
            assertThat(bed.meters
                            .get("busbar_panics")
                            .tag("place", "trigger")
                            .counter()
                            .count())
                    .as("three times the predicate, once the mapping")
                    .isEqualTo(4);
        }
    }

    @Test
    void a_mapping_and_an_index_that_take_their_time_are_counted() throws Exception {
        try (WatchesTestBed bed = new WatchesTestBed(false)) {
            BlockingQueue<ReconcileRequest> requests = bed.requests("c");
            bed.server.thenList("10", "", owned("a", "1", "x")).thenWatch();
            KeyMapping<ConfigMap> slow = (map, listers) -> {
                pass(SlowCalls.LIMIT.plusMillis(5));
                return List.of(ObjectKey.of("n", "x"));
            };
            Index<ConfigMap> slowIndex = new Index<>("slow", map -> {
                pass(SlowCalls.LIMIT.plusMillis(5));
                return Set.of("x");
            });
            bed.watches.acquire(new WatchRequest<ConfigMap>(
                    MAPS, List.of(slowIndex), List.of(new Trigger<>("c", ChangePredicate.always(), slow))));

            assertThat(next(requests).key()).isEqualTo(ObjectKey.of("n", "x"));
            assertThat(bed.meters
                            .get("busbar_slow_calls")
                            .tags("kind", "index", "name", "slow")
                            .counter()
                            .count())
                    .isGreaterThanOrEqualTo(1);
            Counter triggers = bed.meters
                    .get("busbar_slow_calls")
                    .tags("kind", "trigger", "name", "c")
                    .counter();
            assertThat(triggers.count()).isGreaterThanOrEqualTo(1);
        }
    }

    private static void pass(Duration time) {
        long begun = System.nanoTime();
        while (System.nanoTime() - begun < time.toNanos()) {
            Thread.onSpinWait();
        }
    }

    @Test
    void an_object_that_does_not_fit_its_class_stops_nothing() throws Exception {
        try (WatchesTestBed bed = new WatchesTestBed(false)) {
            bed.server
                    .thenList("10", "", object("n", "bad", "1", "[1]"), object("good", "2"))
                    .thenWatch();
            WatchHandle<ConfigMap> watch = bed.acquire();
            await(watch.synced());

            assertThat(names(watch.lister().list())).containsExactly("good");
            assertThat(bed.meters.get("busbar.watch.unfit.objects").counter().count())
                    .isEqualTo(1);
        }
    }

    @Test
    void tells_how_many_objects_there_are_and_how_old_the_news_is() throws Exception {
        try (WatchesTestBed bed = new WatchesTestBed(false)) {
            bed.server.thenList("10", "", object("a", "1"), object("b", "2")).thenWatch();
            await(bed.acquire().synced());
            System.gc();

            assertThat(bed.meters
                            .get("busbar.watch.objects")
                            .tag("name", "configmaps")
                            .gauge()
                            .value())
                    .isEqualTo(2);
            assertThat(bed.meters.get("busbar.watch.staleness").gauge().value()).isBetween(0.0, 60.0);
            assertThat(bed.meters
                            .get("busbar.watch.events")
                            .tag("type", "added")
                            .counter()
                            .count())
                    .isEqualTo(2);
            assertThat(bed.meters.get("reflector.lists").counter().count()).isEqualTo(1);
        }
    }

    @Test
    void a_slow_context_loses_nothing_of_a_long_list() throws Exception {
        try (WatchesTestBed bed = new WatchesTestBed(false)) {
            BlockingQueue<ReconcileRequest> requests = bed.requests("c");
            String filler = "{\"x\":\"" + "y".repeat(5000) + "\"}";
            String[] objects = new String[300];
            for (int i = 0; i < objects.length; i++) {
                objects[i] = object("n", "o" + i, Integer.toString(i + 1), filler);
            }
            bed.server.thenList("1000", "", objects).thenWatch();
            WatchHandle<ConfigMap> watch = bed.watches.acquire(triggering("c", change -> {
                LockSupport.parkNanos(200_000);
                return true;
            }));
            await(watch.synced());

            assertThat(watch.lister().size()).isEqualTo(300);
            for (int i = 0; i < 300; i++) {
                assertThat(next(requests).key().name()).isEqualTo("o" + i);
            }
        }
    }

    @Test
    void a_group_reads_its_own_watch_of_a_type() throws Exception {
        try (WatchesTestBed bed = new WatchesTestBed(false)) {
            bed.server.thenList("10", "", object("a", "1"));
            await(bed.acquire().synced());
            bed.server.request();
            bed.server.request();
            BlockingQueue<ReconcileRequest> requests = bed.requests("c");
            bed.server.thenList("10", "", owned("b", "1", "x"));
            KeyMapping<ConfigMap> everything = (map, listers) -> listers.lister(ConfigMap.class).list().stream()
                    .map(ObjectKey::of)
                    .toList();
            WatchGroup group = bed.watches.acquire(List.of(new WatchRequest<>(
                    MAPS.withLabels("owner"),
                    List.of(),
                    List.of(new Trigger<>("c", ChangePredicate.always(), everything)))));
            await(group.synced());

            assertThat(next(requests).key()).isEqualTo(ObjectKey.of("n", "b"));
            assertThat(names(group.lister(ConfigMap.class).list())).containsExactly("b");
            assertThatThrownBy(() -> group.lister(Pod.class)).isInstanceOf(IllegalArgumentException.class);
            await(group.close());
            assertThat(bed.watches.statuses()).hasSize(1);
        }
    }

    @Test
    void each_change_and_each_new_list_names_the_watch_that_has_seen_it() throws Exception {
        try (WatchesTestBed bed = new WatchesTestBed(false)) {
            bed.server.thenList("10", "", object("a", "1")).thenWatch();
            WatchHandle<ConfigMap> all = bed.acquire();
            await(all.synced());
            assertThat(bed.change()).isEqualTo("ADDED n/a 1");
            bed.server.request();
            bed.server.request();
            bed.server
                    .thenList("10", "", object("a", "1"))
                    .thenWatch(event("DELETED", object("a", "12")), error(410))
                    .thenList("20", "")
                    .thenWatch();
            BlockingQueue<ResourceChanged> changes = new LinkedBlockingQueue<>();
            BlockingQueue<ResourceListed> lists = new LinkedBlockingQueue<>();
            await(bed.vertx
                    .eventBus()
                    .<ResourceChanged>consumer(
                            Addresses.standard().changes(MAPS.resource()), message -> changes.add(message.body()))
                    .completion());
            await(bed.vertx
                    .eventBus()
                    .<ResourceListed>consumer(
                            Addresses.standard().lists(MAPS.resource()), message -> lists.add(message.body()))
                    .completion());
            WatchHandle<ConfigMap> some =
                    bed.watches.acquire(WatchRequest.readOnly(MAPS.withLabels("owner"), List.of()));
            String narrow = some.lister().watch();

            assertThat(narrow).isNotEmpty().isNotEqualTo(all.lister().watch());
            for (ResourceChanged.Kind kind : List.of(ResourceChanged.Kind.ADDED, ResourceChanged.Kind.DELETED)) {
                ResourceChanged change = changes.poll(60, TimeUnit.SECONDS);
                assertThat(change.kind()).isEqualTo(kind);
                assertThat(change.watch()).isEqualTo(narrow);
            }
            assertThat(lists.poll(60, TimeUnit.SECONDS)).isEqualTo(new ResourceListed(MAPS.resource(), narrow, ""));
            assertThat(names(all.lister().list())).containsExactly("a");
        }
    }

    private static WatchRequest<ConfigMap> triggering(String controller, ChangePredicate<? super ConfigMap> when) {
        return new WatchRequest<>(
                MAPS,
                List.of(),
                List.of(new Trigger<ConfigMap>(
                        controller,
                        when,
                        (map, listers) -> owners(map).stream()
                                .map(owner -> ObjectKey.of("n", owner))
                                .toList())));
    }

    private static String owned(String name, String version, String owner) {
        return object(name, version).replace("\"uid\"", "\"labels\":{\"owner\":\"" + owner + "\"},\"uid\"");
    }

    private static List<String> owners(ConfigMap map) {
        String owner = map.getMetadata().getLabels().get("owner");
        return owner == null ? List.of(map.getMetadata().getName()) : List.of(owner);
    }

    private static ReconcileRequest next(BlockingQueue<ReconcileRequest> requests) throws InterruptedException {
        ReconcileRequest request = requests.poll(60, TimeUnit.SECONDS);
        assertThat(request).as("a request to the controller").isNotNull();
        return request;
    }

    /** Without what has changed. */
    private static ReconcileRequest nextWithoutCause(BlockingQueue<ReconcileRequest> requests)
            throws InterruptedException {
        ReconcileRequest request = next(requests);
        return new ReconcileRequest(request.key(), request.reason());
    }
}

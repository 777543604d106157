package io.busbar.watcher;

import static io.busbar.watcher.ScriptedServer.await;
import static io.busbar.watcher.ScriptedServer.bookmark;
import static io.busbar.watcher.ScriptedServer.error;
import static io.busbar.watcher.ScriptedServer.event;
import static io.busbar.watcher.ScriptedServer.initialEventsEnd;
import static io.busbar.watcher.ScriptedServer.list;
import static io.busbar.watcher.ScriptedServer.object;
import static io.busbar.watcher.WatchesTestBed.MAPS;
import static io.busbar.watcher.WatchesTestBed.names;
import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.common.ResourceType;
import io.busbar.common.bus.ReconcileRequest;
import io.busbar.common.watch.ChangePredicate;
import io.busbar.common.watch.Index;
import io.busbar.common.watch.KeyMapping;
import io.busbar.common.watch.OthersWrites;
import io.busbar.common.watch.Trigger;
import io.busbar.common.watch.WatchRequest;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Service;
import io.vertx.core.Future;
import io.vertx.core.http.HttpServerRequest;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What a watch keeps of which a replica needs only what its own primaries control. */
class ShardedWatchTest {

    private static final Index<ConfigMap> BY_OWNER = Index.ofMetadata(
            "owner",
            map -> map.getMetadata().getOwnerReferences().stream()
                    .map(OwnerReference::getUid)
                    .toList());

    @Test
    void keeps_what_its_own_primaries_control_and_what_nobody_controls() throws Exception {
        try (WatchesTestBed bed = keeping("ours")) {
            bed.server
                    .thenList("10", "page-2", owned("a", "1", "ours"), owned("b", "2", "others"))
                    .thenList("10", "", object("c", "3"), owned("d", "4", "others"))
                    .thenWatch();
            WatchHandle<ConfigMap> watch = watched(bed);

            assertThat(names(watch.lister().list())).containsExactly("a", "c");
            bed.server.say(event("ADDED", owned("e", "11", "others")));
            bed.server.say(event("ADDED", owned("f", "12", "ours")));
            assertThat(bed.change()).isEqualTo("ADDED n/a 1");
            assertThat(bed.change()).isEqualTo("ADDED n/c 3");
            assertThat(bed.change()).isEqualTo("ADDED n/f 12");
            assertThat(watch.lister().size()).isEqualTo(3);
        }
    }

    @Test
    void who_is_an_owner_and_does_not_control_makes_no_difference() throws Exception {
        try (WatchesTestBed bed = keeping("ours")) {
            String both = "{\"uid\":\"others\",\"controller\":false},{\"controller\":true,\"uid\":\"ours\"}";
            String neither = "{\"uid\":\"ours\"},{\"controller\":true,\"uid\":\"others\"}";
            bed.server
                    .thenList(
                            "10",
                            "",
                            withOwners("a", "1", both),
                            withOwners("b", "2", neither),
                            withOwners("c", "3", "{\"uid\":\"others\"}"))
                    .thenWatch();

            assertThat(names(watched(bed).lister().list())).containsExactly("a", "c");
        }
    }

    @Test
    void the_owner_is_read_whatever_else_is_kept_and_in_a_streaming_list() throws Exception {
        try (WatchesTestBed bed = new WatchesTestBed(true)) {
            bed.watches.keepOwners("ours"::equals, true);
            bed.server.thenWatch(
                    event("ADDED", owned("a", "1", "ours")),
                    event("ADDED", owned("b", "2", "others")),
                    initialEventsEnd("10"));
            WatchHandle<ConfigMap> watch = bed.watches.acquire(
                    WatchRequest.readOnly(MAPS.keeping("data").shardedWatch(), List.of()));
            await(watch.synced());

            assertThat(names(watch.lister().list())).containsExactly("a");
            assertThat(watch.lister().list().get(0).getMetadata().getOwnerReferences())
                    .isEmpty();
        }
    }

    @Test
    void an_event_that_makes_an_object_anothers_deletes_it_and_one_that_makes_it_ours_adds_it() throws Exception {
        try (WatchesTestBed bed = keeping("ours")) {
            bed.server
                    .thenList("10", "", owned("a", "1", "ours"), owned("b", "2", "others"))
                    .thenWatch();
            BlockingQueue<ReconcileRequest> requests = bed.requests("sets");
            WatchHandle<ConfigMap> watch = watched(bed);
            assertThat(next(requests)).isEqualTo("n/of-ours");
            bed.change();

            bed.server.say(event("MODIFIED", owned("a", "11", "others")));
            assertThat(bed.change()).isEqualTo("DELETED n/a 1");
            assertThat(next(requests)).as("the owner of before is told").isEqualTo("n/of-ours");
            assertThat(watch.lister().list()).isEmpty();
            assertThat(watch.lister().by(BY_OWNER, "ours")).isEmpty();

            bed.server.say(event("MODIFIED", owned("b", "12", "ours")));
            assertThat(bed.change()).isEqualTo("ADDED n/b 12");
            assertThat(next(requests)).isEqualTo("n/of-ours");
            assertThat(names(watch.lister().by(BY_OWNER, "ours"))).containsExactly("b");
        }
    }

    @Test
    void another_object_of_the_name_that_is_anothers_deletes_ours_and_its_own_deletion_is_passed_over()
            throws Exception {
        try (WatchesTestBed bed = keeping("ours")) {
            bed.server.thenList("10", "", owned("a", "1", "ours")).thenWatch();
            WatchHandle<ConfigMap> watch = watched(bed);
            bed.change();

            bed.server.say(event("DELETED", owned("a", "11", "others")));
            bed.server.say(event("DELETED", owned("b", "12", "others")));
            bed.server.say(event("ADDED", owned("c", "13", "ours")));
            assertThat(bed.change()).isEqualTo("DELETED n/a 1");
            assertThat(bed.change()).isEqualTo("ADDED n/c 13");
            bed.server.say(event("DELETED", owned("c", "14", "ours")));
            assertThat(bed.change()).isEqualTo("DELETED n/c 14");
            assertThat(watch.lister().size()).isZero();
        }
    }

    @Test
    void what_is_anothers_and_bookmarks_bring_the_watch_on_and_it_is_resumed_from_there() throws Exception {
        try (WatchesTestBed bed = keeping("ours")) {
            bed.server
                    .thenList("10", "", owned("a", "1", "ours"))
                    .thenCutWatch(event("MODIFIED", owned("b", "11", "others")))
                    .thenCutWatch(bookmark("15"))
                    .thenWatch();
            WatchHandle<ConfigMap> watch = watched(bed);
            bed.server.request();
            bed.server.request();

            assertThat(bed.server.request().params().get("resourceVersion")).isEqualTo("11");
            assertThat(bed.server.request().params().get("resourceVersion")).isEqualTo("15");
            assertThat(watch.lister().reached("n").includes("15")).isTrue();
            bed.server.say(event("DELETED", owned("b", "16", "others")));
            bed.server.say(event("ADDED", owned("c", "17", "ours")));
            bed.change();
            assertThat(bed.change()).isEqualTo("ADDED n/c 17");
            assertThat(watch.lister().reached("n").includes("16")).isTrue();
        }
    }

    @Test
    void what_has_become_anothers_while_nobody_watched_goes_with_the_list() throws Exception {
        try (WatchesTestBed bed = keeping("ours")) {
            bed.server
                    .thenList("10", "", owned("a", "1", "ours"), owned("b", "2", "ours"))
                    .thenWatch(error(410))
                    .thenList("20", "", owned("a", "15", "others"), owned("b", "2", "ours"))
                    .thenWatch();
            WatchHandle<ConfigMap> watch = watched(bed);
            bed.change();
            bed.change();

            assertThat(bed.change()).isEqualTo("DELETED n/a 1");
            assertThat(names(watch.lister().list())).containsExactly("b");
        }
    }

    @Test
    void what_is_gained_is_listed_at_once_and_waited_for() throws Exception {
        try (WatchesTestBed bed = keeping("ours")) {
            bed.server
                    .thenList("10", "", owned("a", "1", "ours"), owned("b", "2", "others"))
                    .thenWatch();
            BlockingQueue<ReconcileRequest> requests = bed.requests("sets");
            WatchHandle<ConfigMap> watch = watched(bed);
            bed.server.request();
            bed.server.request();
            next(requests);
            bed.server.then(held -> {}).thenWatch();

            long moment = bed.watches.keepOwners(Set.of("ours", "others")::contains, true);
            Future<Void> caughtUp = watch.caughtUp(OthersWrites.until(moment));
            HttpServerRequest list = bed.server.request();
            assertThat(list.params().contains("watch")).as("a watch").isFalse();
            assertThat(list.getHeader("Accept"))
                    .as("whole objects")
                    .isEqualTo("application/json;drop=metadata.managedFields");
            assertThat(bed.server.closed()).as("the watch of before").contains("watch=true");
            assertThat(caughtUp.isComplete()).isFalse();
            assertThat(names(watch.lister().list())).as("meanwhile").containsExactly("a");
            list.response().end(list("12", "", owned("a", "1", "ours"), owned("b", "2", "others")));
            await(caughtUp);

            assertThat(names(watch.lister().list())).containsExactly("a", "b");
            assertThat(next(requests)).isEqualTo("n/of-others");
            assertThat(bed.server.request().params().get("resourceVersion")).isEqualTo("12");
            assertThat(bed.meters.get("busbar.watch.relists").counter().count())
                    .as("lists as something was lost")
                    .isZero();
        }
    }

    @Test
    void what_is_gained_while_a_list_is_under_way_is_in_one_that_follows() throws Exception {
        try (WatchesTestBed bed = keeping("ours")) {
            bed.server.then(held -> {});
            WatchHandle<ConfigMap> watch = acquire(bed);
            HttpServerRequest first = bed.server.request();
            bed.server
                    .thenList("11", "", owned("a", "1", "ours"), owned("b", "2", "others"))
                    .thenWatch();
            long moment = bed.watches.keepOwners(uid -> true, true);
            Future<Void> caughtUp = watch.caughtUp(OthersWrites.until(moment));
            first.response().end(list("10", "", owned("a", "1", "ours")));
            await(caughtUp);

            assertThat(names(watch.lister().list())).containsExactly("a", "b");
            assertThat(bed.server.request().params().contains("watch")).isFalse();
            assertThat(bed.server.request().params().get("resourceVersion")).isEqualTo("11");
        }
    }

    @Test
    void what_is_gained_during_a_streaming_list_is_in_one_that_follows() throws Exception {
        try (WatchesTestBed bed = new WatchesTestBed(true)) {
            bed.watches.keepOwners("ours"::equals, true);
            bed.server.thenWatch(event("ADDED", owned("a", "1", "ours")), event("ADDED", owned("b", "2", "others")));
            WatchHandle<ConfigMap> watch = acquire(bed);
            assertThat(bed.change()).isEqualTo("ADDED n/a 1");
            bed.server.thenWatch(
                    event("ADDED", owned("a", "1", "ours")),
                    event("ADDED", owned("b", "2", "others")),
                    initialEventsEnd("11"));

            long moment = bed.watches.keepOwners(uid -> true, true);
            Future<Void> caughtUp = watch.caughtUp(OthersWrites.until(moment));
            bed.server.say(initialEventsEnd("10"));
            await(caughtUp);

            assertThat(names(watch.lister().list())).containsExactly("a", "b");
        }
    }

    @Test
    void what_is_lost_is_forgotten_and_no_primary_is_reconciled_for_it() throws Exception {
        try (WatchesTestBed bed = keeping("ours", "others")) {
            bed.server
                    .thenList("10", "", owned("a", "1", "ours"), owned("b", "2", "others"), object("c", "3"))
                    .thenWatch();
            BlockingQueue<ReconcileRequest> requests = bed.requests("sets");
            WatchHandle<ConfigMap> watch = watched(bed);
            bed.change();
            bed.change();
            bed.change();
            next(requests);
            next(requests);

            bed.watches.keepOwners("ours"::equals, false);
            assertThat(bed.change()).isEqualTo("DELETED n/b 2");
            assertThat(names(watch.lister().list())).containsExactly("a", "c");
            bed.server.say(event("MODIFIED", owned("b", "11", "others")));
            bed.server.say(event("MODIFIED", owned("a", "12", "ours")));
            assertThat(bed.change()).as("by the same watch").isEqualTo("MODIFIED n/a 12");
            assertThat(next(requests)).as("the next that is told of").isEqualTo("n/of-ours");
        }
    }

    @Test
    void a_watch_is_compared_only_with_what_it_keeps() throws Exception {
        try (WatchesTestBed bed = keeping("ours")) {
            bed.server.thenList("10", "", owned("a", "1", "ours")).thenWatch();
            WatchHandle<ConfigMap> watch = watched(bed);
            bed.server.request();
            bed.server.request();
            bed.server.thenList("12", "", owned("a", "1", "ours"), owned("b", "12", "others"));
            await(watch.caughtUp(OthersWrites.until(System.nanoTime())));

            bed.server.say(event("ADDED", owned("c", "13", "ours")));
            bed.change();
            assertThat(bed.change()).as("by the watch of before").isEqualTo("ADDED n/c 13");
        }
    }

    @Test
    void whoever_needs_all_has_a_watch_that_keeps_all() throws Exception {
        try (WatchesTestBed bed = keeping("ours")) {
            bed.server.thenList("10", "", owned("b", "2", "others")).thenWatch();
            WatchHandle<ConfigMap> some = acquire(bed);
            await(some.synced());
            bed.server.request();
            bed.server.request();
            bed.server.thenList("10", "", owned("b", "2", "others")).thenWatch();
            WatchHandle<ConfigMap> all = bed.acquire();
            await(all.synced());

            assertThat(some.lister().size()).isZero();
            assertThat(names(all.lister().list())).containsExactly("b");
            assertThat(bed.watches.lister(ConfigMap.class))
                    .as("what is read by who has declared nothing")
                    .isSameAs(all.lister());
        }
    }

    @Test
    void where_one_replica_works_on_all_the_watch_is_the_same_for_all() throws Exception {
        try (WatchesTestBed bed = new WatchesTestBed(false)) {
            bed.server.thenList("10", "", owned("b", "2", "others")).thenWatch();
            WatchHandle<ConfigMap> some = acquire(bed);
            WatchHandle<ConfigMap> all = bed.acquire();
            await(some.synced());
            await(all.synced());

            assertThat(some.lister()).isSameAs(all.lister());
            assertThat(names(some.lister().list())).containsExactly("b");
        }
    }

    private static WatchesTestBed keeping(String... uids) {
        WatchesTestBed bed = new WatchesTestBed(false);
        bed.watches.keepOwners(Set.of(uids)::contains, true);
        return bed;
    }

    private static WatchHandle<ConfigMap> acquire(WatchesTestBed bed) {
        return bed.watches.acquire(new WatchRequest<ConfigMap>(
                MAPS.shardedWatch(),
                List.of(BY_OWNER),
                List.of(new Trigger<ConfigMap>(
                        "sets",
                        ChangePredicate.always(),
                        KeyMapping.controllerOwner(ResourceType.of(Service.class))))));
    }

    private static WatchHandle<ConfigMap> watched(WatchesTestBed bed) {
        WatchHandle<ConfigMap> watch = acquire(bed);
        await(watch.synced());
        return watch;
    }

    private static String owned(String name, String version, String owner) {
        return withOwners(
                name,
                version,
                "{\"apiVersion\":\"v1\",\"kind\":\"Service\",\"name\":\"of-" + owner + "\",\"uid\":\"" + owner
                        + "\",\"controller\":true}");
    }

    private static String withOwners(String name, String version, String owners) {
        return "{\"metadata\":{\"namespace\":\"n\",\"name\":\"" + name + "\",\"ownerReferences\":[" + owners
                + "],\"uid\":\"uid-" + name + "\",\"resourceVersion\":\"" + version + "\"},\"data\":{\"k\":\"v\"}}";
    }

    private static String next(BlockingQueue<ReconcileRequest> requests) throws InterruptedException {
        ReconcileRequest request = requests.poll(60, TimeUnit.SECONDS);
        return request == null ? "none" : request.key().toString();
    }
}

package io.busbar.watcher;

import static io.busbar.watcher.ScriptedServer.await;
import static io.busbar.watcher.ScriptedServer.event;
import static io.busbar.watcher.ScriptedServer.list;
import static io.busbar.watcher.ScriptedServer.object;
import static io.busbar.watcher.WatchesTestBed.names;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.busbar.common.watch.OthersWrites;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.vertx.core.Future;
import io.vertx.core.http.HttpServerRequest;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** How a watch is brought to show what the API server had at a moment, although nobody can tell how late it is. */
class CaughtUpTest {

    @Test
    void a_list_that_began_since_is_enough() throws Exception {
        try (WatchesTestBed bed = new WatchesTestBed(false)) {
            long moment = System.nanoTime();
            WatchHandle<ConfigMap> watch = watched(bed);

            await(watch.caughtUp(OthersWrites.until(moment)));
        }
    }

    @Test
    void a_watch_that_shows_what_a_list_of_metadata_shows_goes_on_as_it_is() throws Exception {
        try (WatchesTestBed bed = new WatchesTestBed(false)) {
            WatchHandle<ConfigMap> watch = watched(bed);
            bed.server.thenList("12", "page-2", object("a", "1")).thenList("12", "", object("b", "2"));
            await(watch.caughtUp(OthersWrites.until(System.nanoTime())));

            HttpServerRequest page = bed.server.request();
            assertThat(page.getHeader("Accept")).startsWith("application/json;as=PartialObjectMetadataList");
            assertThat(bed.server.request().params().get("continue")).isEqualTo("page-2");
            bed.server.say(event("MODIFIED", object("a", "13")));
            assertThat(bed.change())
                    .as("told by the watch that was there before")
                    .isEqualTo("MODIFIED n/a 13");
        }
    }

    @Test
    void the_first_page_is_enough_where_the_watch_passes_its_version() throws Exception {
        try (WatchesTestBed bed = new WatchesTestBed(false)) {
            WatchHandle<ConfigMap> watch = watched(bed);
            bed.server.thenList("12", "page-2", object("a", "1"));
            Future<Void> caughtUp = watch.caughtUp(OthersWrites.until(System.nanoTime()));
            bed.server.request();
            bed.server.say(event("MODIFIED", object("a", "11")));
            assertThat(bed.change()).isEqualTo("MODIFIED n/a 11");
            assertThat(caughtUp.isComplete()).as("caught up, before 12").isFalse();
            bed.server.say(event("MODIFIED", object("b", "13")));

            await(caughtUp); // the second page would not be answered
        }
    }

    @Test
    void where_it_is_known_what_was_written_nothing_is_listed() throws Exception {
        try (WatchesTestBed bed = new WatchesTestBed(false)) {
            WatchHandle<ConfigMap> watch = watched(bed);
            await(watch.caughtUp(written("configmaps", "10")));
            await(watch.caughtUp(written("secrets", "99")));

            Future<Void> caughtUp = watch.caughtUp(written("configmaps", "12"));
            bed.server.say(event("MODIFIED", object("a", "11")));
            assertThat(bed.change()).isEqualTo("MODIFIED n/a 11");
            assertThat(caughtUp.isComplete()).as("caught up, before 12").isFalse();
            bed.server.say(event("MODIFIED", object("b", "13")));
            await(caughtUp); // a list would not be answered
        }
    }

    @Test
    void what_was_written_and_does_not_come_soon_is_looked_for_in_a_list() throws Exception {
        try (WatchesTestBed bed = new WatchesTestBed(false)) {
            WatchHandle<ConfigMap> watch = watched(bed);
            bed.server.thenList("20", "", object("a", "1"), object("b", "2"));
            await(watch.caughtUp(written("configmaps", "12"))); // of an object that a selector leaves out

            assertThat(bed.server.request().getHeader("Accept")).contains("as=PartialObjectMetadataList");
            await(watch.caughtUp(written("configmaps", "20"))); // a second list would not be answered
        }
    }

    private static OthersWrites written(String type, String version) {
        return OthersWrites.known(System.nanoTime(), Map.of(type, version));
    }

    @Test
    void waits_for_what_the_watch_is_about_to_tell() throws Exception {
        try (WatchesTestBed bed = new WatchesTestBed(false)) {
            WatchHandle<ConfigMap> watch = watched(bed);
            bed.server.thenList("13", "", object("a", "11"), object("c", "13"));
            Future<Void> caughtUp = watch.caughtUp(OthersWrites.until(System.nanoTime()));
            bed.server.request();

            bed.server.say(event("MODIFIED", object("a", "11")));
            bed.server.say(event("DELETED", object("b", "12")));
            assertThat(bed.change()).isEqualTo("MODIFIED n/a 11");
            assertThat(bed.change()).isEqualTo("DELETED n/b 12");
            assertThat(caughtUp.isComplete()).as("caught up, before c is there").isFalse();
            bed.server.say(event("ADDED", object("c", "13")));
            await(caughtUp);
            assertThat(names(watch.lister().list())).containsExactly("a", "c");
        }
    }

    @Test
    void does_not_wait_for_what_is_gone_by_then_or_came_later_than_the_list() throws Exception {
        try (WatchesTestBed bed = new WatchesTestBed(false)) {
            WatchHandle<ConfigMap> watch = watched(bed);
            bed.server.then(held -> {});
            Future<Void> caughtUp = watch.caughtUp(OthersWrites.until(System.nanoTime()));
            HttpServerRequest page = bed.server.request();
            bed.server.say(event("DELETED", object("b", "21")));
            bed.server.say(event("ADDED", object("c", "22")));
            assertThat(bed.change()).isEqualTo("DELETED n/b 21");
            assertThat(bed.change()).isEqualTo("ADDED n/c 22");

            page.response().end(list("20", "", object("a", "1"), object("b", "2")));
            await(caughtUp);
        }
    }

    @Test
    void a_watch_that_is_late_is_listed_anew() throws Exception {
        try (WatchesTestBed bed = new WatchesTestBed(false)) {
            WatchHandle<ConfigMap> watch = watched(bed);
            bed.server
                    .thenList("20", "", object("a", "1"), object("c", "15"))
                    .thenList("20", "", object("a", "1"), object("c", "15"))
                    .thenWatch();
            await(watch.caughtUp(OthersWrites.until(System.nanoTime())));

            assertThat(names(watch.lister().list())).containsExactly("a", "c");
        }
    }

    @Test
    void a_list_of_metadata_that_fails_is_followed_by_one_of_all() throws Exception {
        try (WatchesTestBed bed = new WatchesTestBed(false)) {
            WatchHandle<ConfigMap> watch = watched(bed);
            bed.server
                    .thenStatus(500, "no")
                    .thenStatus(503, "no")
                    .thenList("20", "", object("c", "15"))
                    .thenWatch();
            await(watch.caughtUp(OthersWrites.until(System.nanoTime())));

            assertThat(names(watch.lister().list())).containsExactly("c");
        }
    }

    @Test
    void those_who_ask_together_share_a_list_and_who_asks_later_has_one_of_his_own() throws Exception {
        try (WatchesTestBed bed = new WatchesTestBed(false)) {
            WatchHandle<ConfigMap> watch = watched(bed);
            long moment = System.nanoTime();
            bed.server.then(held -> {});
            Future<Void> one = watch.caughtUp(OthersWrites.until(moment));
            HttpServerRequest page = bed.server.request();
            Future<Void> other = watch.caughtUp(OthersWrites.until(moment));
            Future<Void> later = watch.caughtUp(OthersWrites.until(System.nanoTime()));

            page.response().end(list("10", "", object("a", "1"), object("b", "2")));
            await(one);
            await(other);
            HttpServerRequest next = bed.server.request();
            assertThat(later.isComplete()).isFalse();
            next.response().end(list("10", "", object("a", "1"), object("b", "2")));
            await(later);
        }
    }

    @Test
    void whoever_waits_when_the_watch_ends_is_told() throws Exception {
        try (WatchesTestBed bed = new WatchesTestBed(false)) {
            WatchHandle<ConfigMap> watch = watched(bed);
            Future<Void> caughtUp = watch.caughtUp(OthersWrites.until(System.nanoTime()));
            bed.server.request();
            await(watch.close());

            assertThatThrownBy(() -> await(caughtUp)).hasMessageContaining("the watch has stopped");
            assertThatThrownBy(() -> await(watch.caughtUp(OthersWrites.until(System.nanoTime()))))
                    .hasMessageContaining("has stopped");
        }
    }

    @Test
    void nobody_waits_for_a_namespace_that_is_left() throws Exception {
        try (WatchesTestBed bed = new WatchesTestBed(false)) {
            await(bed.watches.watchNamespaces(Set.of("n")));
            WatchHandle<ConfigMap> watch = watched(bed);
            Future<Void> caughtUp = watch.caughtUp(OthersWrites.until(System.nanoTime()));
            bed.server.request();
            bed.server.thenList("20", "").thenWatch();
            await(bed.watches.watchNamespaces(Set.of("m")));

            await(caughtUp);
        }
    }

    /** One that has listed a and b at version 10, and watches. */
    private static WatchHandle<ConfigMap> watched(WatchesTestBed bed) throws InterruptedException {
        bed.server.thenList("10", "", object("a", "1"), object("b", "2")).thenWatch();
        WatchHandle<ConfigMap> watch = bed.acquire();
        await(watch.synced());
        bed.server.request();
        bed.server.request();
        bed.change();
        bed.change();
        return watch;
    }
}

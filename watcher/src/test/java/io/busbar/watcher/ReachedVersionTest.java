package io.busbar.watcher;

import static io.busbar.watcher.ScriptedServer.bookmark;
import static io.busbar.watcher.ScriptedServer.error;
import static io.busbar.watcher.ScriptedServer.event;
import static io.busbar.watcher.ScriptedServer.initialEventsEnd;
import static io.busbar.watcher.ScriptedServer.list;
import static io.busbar.watcher.ScriptedServer.object;
import static io.busbar.watcher.WatchesTestBed.MAPS;
import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.common.watch.KeyMapping;
import io.busbar.common.watch.Lister;
import io.busbar.common.watch.Reached;
import io.busbar.common.watch.Trigger;
import io.busbar.common.watch.WatchRequest;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.vertx.core.http.HttpServerRequest;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Up to which version a store says that it has all. */
class ReachedVersionTest {

    @Test
    void has_reached_nothing_before_the_last_page_and_then_each_event_and_bookmark() throws Exception {
        try (WatchesTestBed bed = new WatchesTestBed(false)) {
            bed.server.thenList("10", "page-2", object("a", "9")).then(held -> {});
            Lister<ConfigMap> lister = bed.acquire().lister();
            bed.server.request();
            HttpServerRequest secondPage = bed.server.request();
            assertThat(bed.change()).isEqualTo("ADDED n/a 9");
            assertThat(lister.reached("n")).isEqualTo(Reached.NOTHING);

            bed.server.thenWatch();
            secondPage.response().end(list("10", "", object("b", "3")));
            reaches(lister, "n", "10", 0);
            bed.server.say(event("MODIFIED", object("a", "12")));
            reaches(lister, "n", "12", 0);
            bed.server.say(event("DELETED", object("b", "15")));
            reaches(lister, "n", "15", 0);
            bed.server.say(bookmark("40"));
            reaches(lister, "n", "40", 0);
            assertThat(lister.reached("any other namespace")).isEqualTo(new Reached("40", 0));
        }
    }

    @Test
    void has_reached_nothing_before_the_initial_events_end_as_they_come_in_no_order() throws Exception {
        try (WatchesTestBed bed = new WatchesTestBed(true)) {
            bed.server.thenWatch(
                    event("ADDED", object("a", "8")),
                    event("ADDED", object("b", "2")),
                    event("DELETED", object("b", "9")));
            Lister<ConfigMap> lister = bed.acquire().lister();
            assertThat(List.of(bed.change(), bed.change(), bed.change())).last().isEqualTo("DELETED n/b 9");
            assertThat(lister.reached("n")).isEqualTo(Reached.NOTHING);

            bed.server.say(initialEventsEnd("11"));
            reaches(lister, "n", "11", 0);
        }
    }

    @Test
    void an_older_list_begins_another_history() throws Exception {
        try (WatchesTestBed bed = new WatchesTestBed(false)) {
            bed.server
                    .thenList("500", "", object("a", "1"))
                    .thenWatch(error(410))
                    .thenList("300", "", object("a", "1"))
                    .thenWatch();
            Lister<ConfigMap> lister = bed.acquire().lister();

            reaches(lister, "n", "300", 1);
            bed.server.say(event("MODIFIED", object("a", "301")));
            reaches(lister, "n", "301", 1);
        }
    }

    @Test
    void each_stream_has_reached_its_own_version() throws Exception {
        try (WatchesTestBed bed = new WatchesTestBed(false)) {
            Lister<ConfigMap> lister = bed.watches
                    .acquire(WatchRequest.readOnly(MAPS.inNamespaces(Set.of("m", "n")), List.of()))
                    .lister();
            HttpServerRequest one = bed.server.request();
            HttpServerRequest other = bed.server.request();
            HttpServerRequest ofM = one.path().contains("/m/") ? one : other;
            ofM.response().end(list("5", ""));

            reaches(lister, "m", "5", 0);
            assertThat(lister.reached("n")).isEqualTo(Reached.NOTHING);
            assertThat(lister.reached("left out")).isEqualTo(Reached.NOTHING);
            (ofM == one ? other : one).response().end(list("7", ""));
            reaches(lister, "n", "7", 0);
            assertThat(lister.reached("m")).isEqualTo(new Reached("5", 0));
        }
    }

    @Test
    void who_is_told_of_a_change_finds_it_passed() throws Exception {
        try (WatchesTestBed bed = new WatchesTestBed(false)) {
            bed.server
                    .thenList("10", "", object("a", "1"), object("b", "2"))
                    .thenWatch(event("DELETED", object("a", "11")), error(410))
                    .thenList("20", "")
                    .thenWatch(event("ADDED", object("c", "21")));
            BlockingQueue<String> told = new LinkedBlockingQueue<>();
            Trigger<ConfigMap> trigger = new Trigger<>(
                    "maps",
                    change -> {
                        String what = change.after() == null ? "gone" : "there";
                        told.add(what + " after "
                                + bed.watches
                                        .lister(ConfigMap.class)
                                        .reached("n")
                                        .version());
                        return false;
                    },
                    KeyMapping.self());
            WatchHandle<ConfigMap> unused = bed.watches.acquire(new WatchRequest<>(MAPS, List.of(), List.of(trigger)));
            for (String change :
                    List.of("there after ", "there after ", "gone after 11", "gone after 20", "there after 21")) {
                assertThat(told.poll(60, TimeUnit.SECONDS)).isEqualTo(change);
            }
        }
    }

    private static void reaches(Lister<?> lister, String namespace, String version, int history) {
        Awaitility.await("the version reached")
                .atMost(Duration.ofMinutes(1))
                .until(() -> lister.reached(namespace), new Reached(version, history)::equals);
    }
}

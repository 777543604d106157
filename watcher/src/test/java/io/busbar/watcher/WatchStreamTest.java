package io.busbar.watcher;

import static io.busbar.watcher.ScriptedServer.await;
import static io.busbar.watcher.ScriptedServer.bookmark;
import static io.busbar.watcher.ScriptedServer.error;
import static io.busbar.watcher.ScriptedServer.event;
import static io.busbar.watcher.ScriptedServer.initialEventsEnd;
import static io.busbar.watcher.ScriptedServer.object;
import static io.busbar.watcher.WatchesTestBed.MAPS;
import static io.busbar.watcher.WatchesTestBed.names;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.busbar.common.watch.WatchRequest;
import io.busbar.watcher.reflect.StreamStatus;
import io.busbar.watcher.reflect.StreamStatus.Phase;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** What a watch does when the server behaves, and when it does not. */
class WatchStreamTest {

    @Test
    void follows_the_pages_of_a_list_and_watches_from_its_version() throws Exception {
        try (WatchesTestBed bed = new WatchesTestBed(false)) {
            bed.server
                    .thenList("10", "page-2", object("a", "1"), object("b", "2"))
                    .thenList("10", "", object("c", "3"))
                    .thenWatch(event("MODIFIED", object("a", "11")), event("DELETED", object("b", "12")));
            WatchHandle<ConfigMap> watch = bed.acquire();
            await(watch.synced());

            assertThat(List.of(bed.change(), bed.change(), bed.change(), bed.change(), bed.change()))
                    .containsExactly("ADDED n/a 1", "ADDED n/b 2", "ADDED n/c 3", "MODIFIED n/a 11", "DELETED n/b 12");
            assertThat(names(watch.lister().list())).containsExactly("a", "c");
            assertThat(bed.server.request().params().get("limit")).isEqualTo("2");
            assertThat(bed.server.request().params().get("continue")).isEqualTo("page-2");
            HttpServerRequest request = bed.server.request();
            assertThat(request.path()).isEqualTo("/api/v1/configmaps");
            assertThat(request.params().get("resourceVersion")).isEqualTo("10");
            assertThat(request.params().get("allowWatchBookmarks")).isEqualTo("true");
            assertThat(Integer.parseInt(request.params().get("timeoutSeconds"))).isBetween(300, 600);
        }
    }

    @Test
    void takes_a_streaming_list_and_goes_on_watching_on_the_same_response() throws Exception {
        try (WatchesTestBed bed = new WatchesTestBed(true)) {
            bed.server.thenWatch(event("ADDED", object("a", "1")), initialEventsEnd("5"));
            WatchHandle<ConfigMap> watch = bed.acquire();
            await(watch.synced());
            bed.server.say(event("MODIFIED", object("a", "6")));

            assertThat(bed.change()).isEqualTo("ADDED n/a 1");
            assertThat(bed.change()).isEqualTo("MODIFIED n/a 6");
            assertThat(bed.server.request().params().get("sendInitialEvents")).isEqualTo("true");
            bed.server.thenWatch();
            bed.server.endAll();
            assertThat(bed.server.request().params().get("resourceVersion")).isEqualTo("6");
        }
    }

    @Test
    void a_streaming_list_that_is_refused_is_made_in_pages_instead() throws Exception {
        try (WatchesTestBed bed = new WatchesTestBed(true)) {
            bed.server
                    .thenStatus(422, "sendInitialEvents is forbidden")
                    .thenList("10", "", object("a", "1"))
                    .thenWatch(error(410))
                    .thenList("20", "", object("a", "1"))
                    .thenWatch();
            await(bed.acquire().synced());

            assertThat(bed.server.request().params().contains("sendInitialEvents"))
                    .isTrue();
            for (int i = 0; i < 4; i++) {
                assertThat(bed.server.request().params().contains("sendInitialEvents"))
                        .isFalse();
            }
        }
    }

    @Test
    void a_streaming_list_that_never_ends_is_made_in_pages_instead() throws Exception {
        try (WatchesTestBed bed = new WatchesTestBed(true)) {
            bed.server
                    .thenWatch(event("ADDED", object("a", "1")))
                    .thenList("10", "", object("a", "1"), object("b", "2"))
                    .thenWatch();
            WatchHandle<ConfigMap> watch = bed.acquire();
            await(watch.synced());

            assertThat(names(watch.lister().list())).containsExactly("a", "b");
        }
    }

    @Test
    void a_lost_version_is_listed_again_and_a_missed_deletion_still_deletes() throws Exception {
        try (WatchesTestBed bed = new WatchesTestBed(false)) {
            bed.server
                    .thenList("10", "", object("a", "1"), object("b", "2"), object("c", "3"))
                    .thenStatus(410, "too old")
                    .thenList("20", "", object("a", "1"), object("c", "15"), object("d", "16"))
                    .thenWatch(error(410))
                    .thenList("30", "", object("a", "1"), object("c", "15"))
                    .thenWatch(event("ADDED", object("z", "31")));
            bed.acquire();

            assertThat(bed.change()).isEqualTo("ADDED n/a 1");
            assertThat(bed.change()).isEqualTo("ADDED n/b 2");
            assertThat(bed.change()).isEqualTo("ADDED n/c 3");
            assertThat(bed.change()).isEqualTo("MODIFIED n/c 15");
            assertThat(bed.change()).isEqualTo("ADDED n/d 16");
            assertThat(bed.change()).isEqualTo("DELETED n/b 2");
            assertThat(bed.change()).isEqualTo("DELETED n/d 16");
            assertThat(bed.change()).isEqualTo("ADDED n/z 31");
            assertThat(bed.meters
                            .get("busbar.watch.relists")
                            .tag("name", "configmaps")
                            .counter()
                            .count())
                    .isEqualTo(2);
        }
    }

    @Test
    void a_version_that_is_lost_again_and_again_is_listed_less_and_less_often() throws Exception {
        try (WatchesTestBed bed = WatchesTestBed.ofLongWaits()) {
            List<Long> waits = new ArrayList<>();
            AtomicLong lost = new AtomicLong();
            bed.server.thenList("10", "", object("a", "1"));
            for (int i = 0; i < 4; i++) {
                bed.server
                        .then(response -> loseLater(bed.vertx, response, lost))
                        .then(response -> {
                            waits.add((System.nanoTime() - lost.get()) / 1_000_000);
                            response.end(ScriptedServer.list("10", "", object("a", "1")));
                        });
            }
            bed.acquire();
            for (int i = 0; i < 10; i++) {
                bed.server.request();
            }

            assertThat(waits.get(0)).isGreaterThanOrEqualTo(74);
            assertThat(waits.get(1)).isGreaterThanOrEqualTo(149);
            assertThat(waits.get(2)).isGreaterThanOrEqualTo(299);
            assertThat(waits.get(3)).isGreaterThanOrEqualTo(299);
        }
    }

    /** A watch that lasts, tells of something, and is then told that its version is lost. */
    private static void loseLater(Vertx vertx, HttpServerResponse response, AtomicLong lost) {
        response.setChunked(true).write(event("MODIFIED", object("a", "11")) + "\n");
        vertx.setTimer(20, timer -> {
            lost.set(System.nanoTime());
            response.write(error(410) + "\n");
        });
    }

    @Test
    void a_server_that_asks_for_a_pause_gets_it() throws Exception {
        try (WatchesTestBed bed = new WatchesTestBed(false)) {
            AtomicLong asked = new AtomicLong();
            AtomicLong came = new AtomicLong();
            bed.server
                    .then(response -> {
                        asked.set(System.nanoTime());
                        response.setStatusCode(429)
                                .putHeader("Retry-After", "1")
                                .end("{}");
                    })
                    .then(response -> {
                        came.set(System.nanoTime());
                        response.end(ScriptedServer.list("10", "", object("a", "1")));
                    })
                    .thenWatch();
            await(bed.acquire().synced());

            assertThat((came.get() - asked.get()) / 1_000_000).isGreaterThanOrEqualTo(1000);
        }
    }

    @Test
    void an_expired_page_begins_the_list_anew() throws Exception {
        try (WatchesTestBed bed = new WatchesTestBed(false)) {
            bed.server
                    .thenList("10", "more", object("a", "1"))
                    .thenStatus(410, "the continue token is too old")
                    .thenList("20", "", object("b", "12"))
                    .thenWatch();
            WatchHandle<ConfigMap> watch = bed.acquire();
            await(watch.synced());

            assertThat(names(watch.lister().list())).containsExactly("b");
        }
    }

    @Test
    void what_authenticates_requests_may_take_its_time_as_it_never_runs_on_an_event_loop() throws Exception {
        try (WatchesTestBed bed = new WatchesTestBed(false)) {
            bed.server
                    .thenList("10", "more", object("a", "1"))
                    .thenList("10", "", object("b", "1"))
                    .thenCutWatch(event("MODIFIED", object("a", "11")))
                    .thenWatch();
            bed.acquire();
            for (int i = 0; i < 4; i++) {
                bed.server.request();
            }

            assertThat(bed.sentFromEventLoops).hasSize(4).containsOnly(false);
        }
    }

    @Test
    void a_cut_watch_is_resumed_where_it_was() throws Exception {
        try (WatchesTestBed bed = new WatchesTestBed(false)) {
            bed.server
                    .thenList("10", "", object("a", "1"))
                    .thenCutWatch(event("MODIFIED", object("a", "11")))
                    .thenStatus(503, "starting")
                    .thenCutWatch(bookmark("14"))
                    .thenWatch();
            bed.acquire();

            bed.server.request();
            assertThat(bed.server.request().params().get("resourceVersion")).isEqualTo("10");
            assertThat(bed.server.request().params().get("resourceVersion")).isEqualTo("11");
            assertThat(bed.server.request().params().get("resourceVersion")).isEqualTo("11");
            assertThat(bed.server.request().params().get("resourceVersion")).isEqualTo("14");
        }
    }

    @Test
    void a_watch_that_ends_early_has_failed_only_if_the_one_before_it_did() throws Exception {
        try (WatchesTestBed bed = WatchesTestBed.ofEarlyEnds()) {
            bed.server
                    .thenList("10", "", object("a", "1"))
                    .then(HttpServerResponse::end)
                    .thenWatch();
            bed.acquire();
            bed.server.request();
            bed.server.request();
            assertThat(bed.server.request().params().get("resourceVersion")).isEqualTo("10");
            assertThat(bed.meters.find("busbar.watch.errors").counter()).isNull();

            bed.server.endAll();

            assertThat(bed.server.request().params().get("resourceVersion")).isEqualTo("10");
            assertThat(bed.meters.get("busbar.watch.errors").counter().count()).isEqualTo(1);
        }
    }

    @Test
    void an_unreadable_event_makes_it_list_again() throws Exception {
        try (WatchesTestBed bed = new WatchesTestBed(false)) {
            bed.server
                    .thenList("10", "", object("a", "1"))
                    .thenWatch(event("MODIFIED", object("a", "11")), "<html>")
                    .thenList("20", "", object("a", "15"))
                    .thenWatch();
            bed.acquire();

            assertThat(bed.change()).isEqualTo("ADDED n/a 1");
            assertThat(bed.change()).isEqualTo("MODIFIED n/a 11");
            assertThat(bed.change()).isEqualTo("MODIFIED n/a 15");
        }
    }

    @Test
    void a_list_that_breaks_off_is_not_taken_for_the_whole() throws Exception {
        try (WatchesTestBed bed = new WatchesTestBed(false)) {
            bed.server
                    .thenList("10", "", object("a", "1"), object("b", "2"))
                    .thenWatch(error(410))
                    .then(response ->
                            response.end("{\"metadata\":{\"resourceVersion\":\"20\"},\"items\":[" + object("a", "1")))
                    .thenList("30", "", object("a", "1"), object("b", "2"), object("c", "25"))
                    .thenWatch();
            bed.acquire();

            assertThat(bed.change()).isEqualTo("ADDED n/a 1");
            assertThat(bed.change()).isEqualTo("ADDED n/b 2");
            assertThat(bed.change()).isEqualTo("ADDED n/c 25");
        }
    }

    @Test
    void asks_for_packed_lists_and_reads_them() throws Exception {
        try (WatchesTestBed bed = new WatchesTestBed(false)) {
            bed.server
                    .thenPackedList("10", object("a", "1"), object("b", "2"))
                    .thenWatch(event("MODIFIED", object("a", "11")));
            bed.acquire();

            assertThat(List.of(bed.change(), bed.change(), bed.change()))
                    .containsExactly("ADDED n/a 1", "ADDED n/b 2", "MODIFIED n/a 11");
            assertThat(bed.server.request().getHeader("Accept-Encoding")).isEqualTo("gzip");
            assertThat(bed.server.request().getHeader("Accept-Encoding")).isNull();
        }
    }

    @Test
    void a_packed_list_that_is_cut_or_spoilt_is_not_taken_for_the_whole() throws Exception {
        try (WatchesTestBed bed = new WatchesTestBed(false)) {
            Buffer whole = ScriptedServer.gzip(ScriptedServer.list("10", "", object("a", "1")));
            bed.server
                    .thenSpoiltList(whole.slice(0, whole.length() / 2))
                    .thenSpoiltList(Buffer.buffer(ScriptedServer.list("10", "", object("a", "1"))))
                    .thenPackedList("20", object("b", "12"))
                    .thenWatch();
            WatchHandle<ConfigMap> watch = bed.acquire();
            await(watch.synced());

            assertThat(names(watch.lister().list())).containsExactly("b");
        }
    }

    @Test
    void a_missing_resource_is_waited_for() throws Exception {
        try (WatchesTestBed bed = new WatchesTestBed(true)) {
            bed.server
                    .then(response -> response.setStatusCode(404).end("404 page not found"))
                    .thenStatus(404, "not found")
                    .thenStatus(404, "not found")
                    .thenWatch(event("ADDED", object("a", "1")), initialEventsEnd("5"));
            WatchHandle<ConfigMap> watch = bed.acquire();
            await(watch.synced());

            assertThat(watch.lister().size()).isEqualTo(1);
        }
    }

    @Test
    void a_server_that_goes_away_and_comes_back_is_watched_again() throws Exception {
        try (WatchesTestBed bed = new WatchesTestBed(false)) {
            bed.server.stop();
            WatchHandle<ConfigMap> watch = bed.acquire();
            bed.server.thenList("10", "", object("a", "1")).thenWatch();
            bed.server.start();
            await(watch.synced());
            assertThat(bed.change()).isEqualTo("ADDED n/a 1");
            bed.server.request();
            bed.server.request();

            bed.server.stop();
            bed.server.thenWatch(event("MODIFIED", object("a", "11")));
            bed.server.start();

            assertThat(bed.change()).isEqualTo("MODIFIED n/a 11");
            assertThat(bed.server.request().params().get("resourceVersion")).isEqualTo("10");
        }
    }

    @Test
    void a_watch_that_falls_silent_after_bookmarks_is_given_up() throws Exception {
        try (WatchesTestBed bed = new WatchesTestBed(false)) {
            bed.server
                    .thenList("10", "", object("a", "1"))
                    .thenWatch(bookmark("12"))
                    .thenWatch();
            bed.acquire();

            bed.server.request();
            bed.server.request();
            assertThat(bed.server.request().params().get("resourceVersion")).isEqualTo("12");
        }
    }

    @Test
    void an_answer_that_never_comes_is_not_waited_for() throws Exception {
        try (WatchesTestBed bed = new WatchesTestBed(false)) {
            bed.server
                    .then(HttpServerResponse::closed)
                    .thenList("10", "", object("a", "1"))
                    .thenWatch();
            await(bed.acquire().synced());
        }
    }

    @Test
    void asks_for_metadata_alone_and_for_what_the_selectors_name() throws Exception {
        try (WatchesTestBed bed = new WatchesTestBed(false)) {
            bed.server.thenList("10", "", object("a", "1")).thenWatch();
            bed.watches.acquire(WatchRequest.readOnly(
                    MAPS.metadataOnlyWatch().withLabels("app in (a, b)").withFields("metadata.name!=c"), List.of()));

            HttpServerRequest list = bed.server.request();
            assertThat(list.getHeader("Accept"))
                    .isEqualTo("application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1"
                            + ";drop=metadata.managedFields,application/json;drop=metadata.managedFields");
            assertThat(list.params().get("labelSelector")).isEqualTo("app in (a, b)");
            assertThat(list.params().get("fieldSelector")).isEqualTo("metadata.name!=c");
            HttpServerRequest watch = bed.server.request();
            assertThat(watch.getHeader("Accept")).startsWith("application/json;as=PartialObjectMetadata;");
            assertThat(watch.params().get("labelSelector")).isEqualTo("app in (a, b)");
        }
    }

    @Test
    void asks_for_managed_fields_where_they_are_wanted_alone() throws Exception {
        try (WatchesTestBed bed = new WatchesTestBed(false)) {
            bed.server.thenList("10", "", object("a", "1")).thenWatch();
            bed.watches.acquire(WatchRequest.readOnly(MAPS.keeping("metadata.managedFields"), List.of()));
            assertThat(bed.server.request().getHeader("Accept")).isEqualTo("application/json");
            assertThat(bed.server.request().getHeader("Accept")).isEqualTo("application/json");
        }
    }

    @Test
    void has_a_stream_for_each_namespace_and_is_synced_after_the_last() throws Exception {
        try (WatchesTestBed bed = new WatchesTestBed(false)) {
            WatchHandle<ConfigMap> watch =
                    bed.watches.acquire(WatchRequest.readOnly(MAPS.inNamespaces(Set.of("m", "n")), List.of()));
            HttpServerRequest first = bed.server.request();
            HttpServerRequest second = bed.server.request();
            assertThat(List.of(first.path(), second.path()))
                    .containsExactlyInAnyOrder("/api/v1/namespaces/m/configmaps", "/api/v1/namespaces/n/configmaps");
            answer(first, "a");
            bed.server.request();
            assertThat(bed.change()).contains("/a ");
            assertThat(watch.lister().synced()).isFalse();
            answer(second, "b");
            await(watch.synced());

            assertThat(watch.lister().size()).isEqualTo(2);
            assertThat(bed.watches.synced()).isTrue();
        }
    }

    @Test
    void its_status_says_whether_it_lists_or_watches_and_where_it_would_go_on() throws Exception {
        try (WatchesTestBed bed = WatchesTestBed.ofLongWaits()) {
            bed.acquire();
            HttpServerRequest list = bed.server.request();
            assertThat(status(bed).phase()).isEqualTo(Phase.LISTING);
            assertThat(status(bed).resourceVersion()).isEmpty();

            list.response().end(ScriptedServer.list("10", "", object("a", "1")));
            bed.server.request();
            assertThat(status(bed).phase()).isEqualTo(Phase.WATCHING);
            assertThat(status(bed).resourceVersion()).isEqualTo("10");
        }
    }

    @Test
    void its_status_says_that_it_waits_when_the_server_has_asked_for_a_pause() throws Exception {
        try (WatchesTestBed bed = WatchesTestBed.ofLongWaits()) {
            bed.server.then(response ->
                    response.setStatusCode(429).putHeader("Retry-After", "60").end("{}"));
            bed.acquire();

            Awaitility.await("its status")
                    .atMost(Duration.ofMinutes(1))
                    .untilAsserted(() -> assertThat(status(bed))
                            .returns(Phase.WAITING, StreamStatus::phase)
                            .returns("", StreamStatus::failure));
        }
    }

    @Test
    void its_status_tells_the_time_since_the_last_bookmark() throws Exception {
        try (WatchesTestBed bed = WatchesTestBed.ofLongWaits()) {
            bed.server.thenList("10", "", object("a", "1")).thenWatch();
            bed.acquire();
            bed.server.request();
            bed.server.request();
            assertThat(sayAndAwait(bed, "11", event("MODIFIED", object("a", "11")))
                            .bookmark())
                    .as("since a bookmark, where only a change has come")
                    .isEmpty();

            for (String version : List.of("12", "13")) {
                long said = System.nanoTime();
                Duration age =
                        sayAndAwait(bed, version, bookmark(version)).bookmark().orElseThrow();
                assertThat(age).isBetween(Duration.ZERO, Duration.ofNanos(System.nanoTime() - said));
                assertThat(status(bed).bookmark().orElseThrow()).isGreaterThan(age);
            }
        }
    }

    @Test
    void its_status_counts_the_lists_that_are_repeated_and_says_why() throws Exception {
        try (WatchesTestBed bed = WatchesTestBed.ofLongWaits()) {
            bed.server.thenList("10", "", object("a", "1")).thenWatch();
            bed.acquire();
            bed.server.request();
            bed.server.request();
            assertThat(status(bed).relists()).isZero();
            assertThat(status(bed).relistReason()).isEmpty();

            bed.server.say(error(410));
            HttpServerRequest list = bed.server.request();
            assertThat(status(bed).phase()).isEqualTo(Phase.LISTING);
            assertThat(status(bed).relists()).isEqualTo(1);
            assertThat(status(bed).relistReason()).isEqualTo("no");

            bed.server.thenStatus(410, "too old resource version");
            list.response().end(ScriptedServer.list("20", "", object("a", "1")));
            bed.server.request();
            bed.server.request();
            assertThat(status(bed).relists()).isEqualTo(2);
            assertThat(status(bed).relistReason()).isEqualTo("too old resource version");
        }
    }

    @Test
    void its_status_says_why_it_cannot_be_had_until_it_can() throws Exception {
        try (WatchesTestBed bed = WatchesTestBed.ofLongWaits()) {
            bed.server.thenStatus(403, "configmaps is forbidden");
            bed.acquire();
            bed.server.request();
            HttpServerRequest list = bed.server.request();
            assertThat(status(bed).failure()).isEqualTo("configmaps is forbidden");

            bed.server.thenWatch(event("MODIFIED", object("a", "11")));
            list.response().end(ScriptedServer.list("10", "", object("a", "1")));
            Awaitility.await("the end of the failure")
                    .atMost(Duration.ofMinutes(1))
                    .untilAsserted(() -> assertThat(status(bed).failure()).isEmpty());
        }
    }

    @Test
    void each_namespace_has_a_status_of_its_own_and_the_watch_the_failure_of_any() throws Exception {
        try (WatchesTestBed bed = WatchesTestBed.ofLongWaits()) {
            bed.watches.acquire(WatchRequest.readOnly(MAPS.inNamespaces(Set.of("m", "n")), List.of()));
            for (HttpServerRequest list : List.of(bed.server.request(), bed.server.request())) {
                if (list.path().contains("/m/")) {
                    answer(list, "a");
                } else {
                    list.response().setStatusCode(403).end("{\"kind\":\"Status\",\"message\":\"n is forbidden\"}");
                }
            }
            bed.server.request();
            bed.server.request();

            WatchStatus status = bed.watches.statuses().get(0);
            assertThat(status.failure()).isEqualTo("n is forbidden");
            assertThat(status.streams())
                    .extracting(StreamStatus::namespace, StreamStatus::phase, StreamStatus::failure)
                    .containsExactly(tuple("m", Phase.WATCHING, ""), tuple("n", Phase.LISTING, "n is forbidden"));
        }
    }

    /** Of the one stream of the one watch. */
    private static StreamStatus status(WatchesTestBed bed) {
        assertThat(bed.watches.statuses())
                .singleElement()
                .satisfies(watch -> assertThat(watch.streams()).hasSize(1));
        return bed.watches.statuses().get(0).streams().get(0);
    }

    /** What the status is once the watch has come to the version of what the server says. */
    private static StreamStatus sayAndAwait(WatchesTestBed bed, String version, String event) {
        bed.server.say(event);
        return Awaitility.await("version " + version)
                .until(() -> status(bed), status -> status.resourceVersion().equals(version));
    }

    private static void answer(HttpServerRequest request, String name) {
        String namespace = request.path().contains("/m/") ? "m" : "n";
        request.response()
                .end("{\"metadata\":{\"resourceVersion\":\"5\"},\"items\":[" + object(namespace, name, "1", "{}")
                        + "]}");
    }
}

package io.busbar.sandbox.suite;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.http.WebSocket;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class WatchTest {

    private final Api api = Server.api();
    private final String namespace = api.newNamespace();
    private final String secrets = "/api/v1/namespaces/" + namespace + "/secrets";
    private final String mine = secrets + "?watch=true&labelSelector=set%3Dmine";

    private Answer make(String name) {
        return api.post(secrets, "{'metadata':{'name':'" + name + "','labels':{'set':'mine'}}}");
    }

    @Test
    void tells_what_is_there_and_then_what_happens() {
        make("a");
        try (Watching watch = api.watch(mine)) {
            assertThat(watch.summary()).isEqualTo("ADDED a");
            make("b");
            assertThat(watch.summary()).isEqualTo("ADDED b");
            api.patch(secrets + "/b", Api.MERGE, "{'data':{'k':'dg=='}}");
            JsonNode changed = watch.next();
            assertThat(changed.path("type").asText()).isEqualTo("MODIFIED");
            assertThat(changed.at("/object/data/k").asText()).isEqualTo("dg==");
            assertThat(changed.at("/object/kind").asText()).isEqualTo("Secret");
            api.delete(secrets + "/a");
            assertThat(watch.summary()).isEqualTo("DELETED a");
        }
    }

    @Test
    void starts_after_a_revision() {
        Answer first = make("a");
        make("b");
        api.delete(secrets + "/a");
        try (Watching watch = api.watch(mine + "&resourceVersion=" + first.revision())) {
            assertThat(watch.summary()).isEqualTo("ADDED b");
            JsonNode gone = watch.next();
            assertThat(gone.path("type").asText()).isEqualTo("DELETED");
            assertThat(gone.at("/object/metadata/resourceVersion").asLong()).isGreaterThan(first.revision() + 1);
        }
    }

    @Test
    void counts_what_leaves_the_selection_as_deleted() {
        make("a");
        try (Watching watch = api.watch(mine)) {
            assertThat(watch.summary()).isEqualTo("ADDED a");
            Answer away = api.patch(secrets + "/a", Api.MERGE, "{'metadata':{'labels':{'set':'other'}}}");
            JsonNode gone = watch.next();
            assertThat(gone.path("type").asText()).isEqualTo("DELETED");
            assertThat(gone.at("/object/metadata/labels/set").asText()).isEqualTo("mine");
            assertThat(gone.at("/object/metadata/resourceVersion").asLong()).isEqualTo(away.revision());
            api.patch(secrets + "/a", Api.MERGE, "{'metadata':{'labels':{'set':'mine'}}}");
            assertThat(watch.summary()).isEqualTo("ADDED a");
        }
    }

    @Test
    void tells_of_one_object() {
        make("a");
        make("b");
        try (Watching watch = api.watch(secrets + "?watch=true&fieldSelector=metadata.name%3Db")) {
            assertThat(watch.summary()).isEqualTo("ADDED b");
            api.delete(secrets + "/a");
            api.delete(secrets + "/b");
            assertThat(watch.summary()).isEqualTo("DELETED b");
        }
    }

    @Test
    void ends_when_its_time_is_over() {
        try (Watching watch = api.watch(mine + "&timeoutSeconds=1")) {
            assertThat(watch.summary()).isEqualTo("END");
        }
    }

    /** A real server does so each minute, and shortly before a watch ends. */
    @Test
    void sends_bookmarks_to_those_who_want_them() {
        Answer made = make("a");
        String query = "&allowWatchBookmarks=true&timeoutSeconds=5&resourceVersion=" + made.revision();
        try (Watching watch = api.watch(mine + query)) {
            Answer other = api.post(secrets, "{'metadata':{'name':'other'}}");
            JsonNode mark = watch.any();
            while (mark.at("/object/metadata/resourceVersion").asLong() < other.revision()) {
                assertThat(mark.path("type").asText()).isEqualTo("BOOKMARK");
                mark = watch.any();
            }
            assertThat(mark.path("type").asText()).isEqualTo("BOOKMARK");
            assertThat(mark.at("/object/kind").asText()).isEqualTo("Secret");
            assertThat(mark.at("/object/metadata").has("name")).isFalse();
        }
    }

    @Test
    void tells_metadata_alone() {
        make("a");
        try (Watching watch =
                api.watch(mine, "Accept", "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1")) {
            assertThat(watch.next().at("/object/kind").asText()).isEqualTo("PartialObjectMetadata");
        }
    }

    @Test
    void tells_tables() {
        make("a");
        try (Watching watch = api.watch(mine, "Accept", "application/json;as=Table;g=meta.k8s.io;v=v1")) {
            JsonNode first = watch.next();
            assertThat(first.at("/object/kind").asText()).isEqualTo("Table");
            assertThat(first.at("/object/columnDefinitions").size()).isEqualTo(4);
            make("b");
            JsonNode second = watch.next();
            assertThat(second.at("/object/rows/0/cells/0").asText()).isEqualTo("b");
            assertThat(second.at("/object/columnDefinitions").isNull()).isTrue();
        }
    }

    @Test
    void follows_one_object_by_its_name() {
        make("a");
        make("b");
        assertThat(api.get(secrets + "/a?watch=true").text("/kind"))
                .as("one object is got")
                .isEqualTo("Secret");
        try (Watching watch = api.watch("/api/v1/watch/namespaces/" + namespace + "/secrets/a")) {
            assertThat(watch.summary()).isEqualTo("ADDED a");
            api.patch(secrets + "/b", Api.MERGE, "{'data':{'k':'dg=='}}");
            api.patch(secrets + "/a", Api.MERGE, "{'data':{'k':'dg=='}}");
            assertThat(watch.summary()).isEqualTo("MODIFIED a");
        }
    }

    @Test
    void has_an_older_way_in() {
        make("a");
        try (Watching watch =
                api.watch("/api/v1/watch/namespaces/" + namespace + "/secrets?labelSelector=set%3Dmine")) {
            assertThat(watch.summary()).isEqualTo("ADDED a");
        }
    }

    @Test
    void counts_what_leaves_the_fields_as_deleted() {
        String pods = "/api/v1/namespaces/" + namespace + "/pods";
        api.post(
                pods,
                "{'metadata':{'name':'p'},'spec':{'schedulerName':'none','containers':[{'name':'c','image':'x'}]}}");
        try (Watching watch = api.watch(pods + "?watch=true&fieldSelector=status.phase%3DPending")) {
            assertThat(watch.summary()).isEqualTo("ADDED p");
            api.patch(pods + "/p/status", Api.MERGE, "{'status':{'phase':'Failed'}}");
            JsonNode gone = watch.next();
            assertThat(gone.path("type").asText()).isEqualTo("DELETED");
            assertThat(gone.at("/object/status/phase").asText()).isEqualTo("Pending");
        }
        api.delete(pods + "/p?gracePeriodSeconds=0");
    }

    @Test
    void marks_what_is_being_deleted_first() {
        api.post(secrets, "{'metadata':{'name':'a','labels':{'set':'mine'},'finalizers':['x.y/z']}}");
        try (Watching watch = api.watch(mine)) {
            assertThat(watch.summary()).isEqualTo("ADDED a");
            api.delete(secrets + "/a");
            JsonNode marked = watch.next();
            assertThat(marked.path("type").asText()).isEqualTo("MODIFIED");
            assertThat(marked.at("/object/metadata/deletionTimestamp").asText()).isNotEmpty();
            api.patch(secrets + "/a", Api.MERGE, "{'metadata':{'finalizers':null}}");
            assertThat(watch.summary()).isEqualTo("DELETED a");
        }
    }

    @Test
    void refuses_what_it_cannot_start_from() {
        try (Watching watch = api.watch(mine + "&resourceVersion=abc")) {
            assertThat(watch.code()).isGreaterThanOrEqualTo(400);
        }
        Answer refused = api.get(mine + "&resourceVersion=1&resourceVersionMatch=Exact");
        assertThat(refused.code()).isEqualTo(422);
        assertThat(refused.causes().toString()).contains("resourceVersionMatch: Forbidden: ");
    }

    @Test
    @Since(value = "1.32", why = "sendInitialEvents, on by default,")
    void tells_when_it_has_told_what_there_was() {
        make("a");
        try (Watching watch = api.watch(
                mine + "&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true")) {
            assertThat(watch.any().path("type").asText()).isEqualTo("ADDED");
            JsonNode mark = watch.any();
            assertThat(mark.path("type").asText()).isEqualTo("BOOKMARK");
            assertThat(mark.at("/object/metadata/annotations/k8s.io~1initial-events-end")
                            .asText())
                    .isEqualTo("true");
        }
        Answer refused = api.get(mine + "&sendInitialEvents=true");
        assertThat(refused.code()).isEqualTo(422);
    }

    @Test
    @Since(value = "1.32", why = "sendInitialEvents, on by default,")
    void starts_now_when_nobody_wants_to_know_what_there_is() {
        make("a");
        try (Watching watch = api.watch(mine + "&sendInitialEvents=false&resourceVersionMatch=NotOlderThan")) {
            make("b");
            assertThat(watch.summary()).isEqualTo("ADDED b");
        }
    }

    @Test
    void tells_of_the_end_of_what_was_there_not_of_what_freed_it() {
        api.post(secrets, "{'metadata':{'name':'f','finalizers':['suite.io/x'],'labels':{'set':'mine'}}}");
        try (Watching watch = api.watch(mine)) {
            assertThat(watch.summary()).isEqualTo("ADDED f");
            api.delete(secrets + "/f");
            assertThat(watch.summary()).isEqualTo("MODIFIED f");
            api.patch(secrets + "/f", Api.MERGE, "{'metadata':{'finalizers':null}}");
            JsonNode end = watch.next();
            assertThat(end.path("type").asText()).isEqualTo("DELETED");
            assertThat(end.at("/object/metadata/finalizers/0").asText()).isEqualTo("suite.io/x");
        }
    }

    @Test
    void speaks_over_a_web_socket() throws Exception {
        make("a");
        BlockingQueue<String> messages = new LinkedBlockingQueue<>();
        WebSocket socket = api.webSocket(mine, new WebSocket.Listener() {
            private final StringBuilder text = new StringBuilder();

            @Override
            public CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
                text.append(data);
                if (last) {
                    messages.add(text.toString());
                    text.setLength(0);
                }
                from.request(1);
                return CompletableFuture.completedFuture(null);
            }
        });
        assertThat(messages.poll(60, TimeUnit.SECONDS)).startsWith("{\"type\":\"ADDED\",\"object\":{");
        make("b");
        assertThat(messages.poll(60, TimeUnit.SECONDS)).contains("\"name\":\"b\"");
        socket.abort();
    }

    @Test
    void comes_in_one_form_alone() {
        Answer yaml = api.get(mine + "&timeoutSeconds=1", "application/yaml");
        assertThat(yaml.code()).isEqualTo(406);
        Answer rows =
                api.get(mine + "&timeoutSeconds=1&includeObject=x", "application/json;as=Table;g=meta.k8s.io;v=v1");
        assertThat(rows.code()).isEqualTo(400);
        assertThat(rows.message())
                .isEqualTo("Unable to convert to Table as requested: includeObject: Invalid value: \"x\": must be"
                        + " 'Metadata', 'Object', 'None', or empty");
    }
}

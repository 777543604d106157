package io.busbar.runtime.management;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.junit5.VertxExtension;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(VertxExtension.class)
class ZPagesTest {

    private static final InstantSource CLOCK = InstantSource.fixed(Instant.parse("2024-10-08T22:04:44Z"));
    private static final String STATUS_TEXT = """

            shop statusz
            Warning: This endpoint is not meant to be machine parseable, has no formatting compatibility guarantees and is for debugging purposes only.

            Started: Sun Oct  6 21:03:43 UTC 2024
            Up: 49 hr 01 min 00 sec
            Java version: %s
            Binary version: 1.2.0
            Paths: /flagz /metrics /statusz
            """.formatted(Runtime.version());

    private HttpServer server;
    private HttpClient client;

    private record Answer(int code, String type, @Nullable String warning, String text) {}

    @BeforeEach
    void serve(Vertx vertx) throws Exception {
        Router router = Router.router(vertx);
        new ZPages(Programs.any(), CLOCK).serve(router, RoutingContext::next, List.of("/metrics"));
        server = wait(vertx.createHttpServer().requestHandler(router).listen(0, "127.0.0.1"));
        client = vertx.createHttpClient();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "*/*",
                "text/plain",
                "text/*",
                "application/json;v=v9;g=config.k8s.io;as=Statusz,*/*",
                "application/json, text/plain;q=0.5"
            })
    void status_is_text_for_who_asks_for_nothing_else(String accept) throws Exception {
        assertThat(get("/statusz", accept)).isEqualTo(new Answer(200, "text/plain; charset=utf-8", null, STATUS_TEXT));
    }

    @Test
    void status_is_an_object_for_who_names_it() throws Exception {
        Answer answer = get("/statusz", "application/json;v=v1beta1;g=config.k8s.io;as=Statusz");

        assertThat(answer.type()).isEqualTo("application/json");
        assertThat(answer.warning()).isNull();
        assertThat(new JsonObject(answer.text())).isEqualTo(new JsonObject("""
                {"kind": "Statusz", "apiVersion": "config.k8s.io/v1beta1", "metadata": {"name": "shop"},
                 "startTime": "2024-10-06T21:03:43Z", "uptimeSeconds": 176460, "binaryVersion": "1.2.0",
                 "paths": ["/flagz", "/metrics", "/statusz"]}
                """));
    }

    @Test
    void who_asks_for_an_older_version_gets_it_and_a_warning() throws Exception {
        Answer answer = get("/flagz", "application/json;g=config.k8s.io;as=Flagz;v=v1alpha1");

        assertThat(new JsonObject(answer.text()).getString("apiVersion")).isEqualTo("config.k8s.io/v1alpha1");
        assertThat(answer.warning())
                .isEqualTo("299 - \"config.k8s.io/v1alpha1 Flagz is deprecated; use config.k8s.io/v1beta1\"");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "application/json",
                "application/xml",
                "application/json;v=v1beta1;g=config.k8s.io",
                "application/json;v=v1beta1;g=config.k8s.io;as=Statusz",
                "application/json;v=v2;g=config.k8s.io;as=Flagz"
            })
    void what_it_does_not_have_is_not_acceptable(String accept) throws Exception {
        Answer answer = get("/flagz", accept);

        assertThat(answer.code()).isEqualTo(406);
        assertThat(answer.text())
                .isEqualTo("Not acceptable: Accept is '" + accept + "'; allowed: text/plain,"
                        + " application/json;v=v1beta1;g=config.k8s.io;as=Flagz\n");
    }

    @Test
    void flags_are_told_in_both_forms() throws Exception {
        assertThat(get("/flagz", "").text()).isEqualTo("""

                shop flags
                Warning: This endpoint is not meant to be machine parseable, has no formatting compatibility guarantees and is for debugging purposes only.

                address=:1
                zone=
                """);
        assertThat(new JsonObject(get("/flagz", "application/json;v=v1beta1;g=config.k8s.io;as=Flagz")
                        .text()))
                .isEqualTo(new JsonObject("""
                        {"kind": "Flagz", "apiVersion": "config.k8s.io/v1beta1", "metadata": {"name": "shop"},
                         "flags": {"address": ":1", "zone": ""}}
                        """));
    }

    private Answer get(String path, String accept) throws Exception {
        return wait(client.request(HttpMethod.GET, server.actualPort(), "127.0.0.1", path)
                .map(request -> accept.isEmpty() ? request : request.putHeader("Accept", accept))
                .compose(request -> request.send()
                        .compose(response -> response.body()
                                .map(body -> new Answer(
                                        response.statusCode(),
                                        response.getHeader("Content-Type"),
                                        response.getHeader("Warning"),
                                        body.toString())))));
    }

    private static <T> T wait(Future<T> future) throws Exception {
        return future.toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
    }
}

package io.busbar.runtime.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.busbar.runtime.bundle.KindBundle;
import io.busbar.runtime.bundle.OperatorDefinition;
import io.busbar.runtime.bundle.Widget;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.junit5.VertxExtension;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(VertxExtension.class)
class TopCommandTest {

    private static final String STATE = """
            {"operator": {"name": "shop", "version": "1.2.0", "instance": "shop-0", "role": "leads", "started": 940000},
             "problems": [{"severe": true, "controller": "maps", "object": "ns/a", "since": 997000,
                           "what": "fails: \\u001b[31m\\u202etxet", "help": "mend it"},
                          {"severe": false, "controller": "", "object": "", "what": "is late", "help": "wait"}],
             "controllers": [{"name": "maps", "workers": 4, "busy": 1, "delayed": 2, "oldest": 990000,
                              "waiting": {"change": 3, "list": 0, "resync": 1},
                              "inFlight": [{"object": "ns/a", "begun": 997000, "why": "added ConfigMap ns/a @7"}],
                              "retrying": [{"object": "ns/b", "failures": 6, "error": "no\\nway"}]}],
             "streams": [{"watch": "configmaps", "namespace": "ns", "phase": "watching", "objects": 12,
                          "lastSign": 700000, "relists": 1}]}
            """;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void prints_what_stands_out_first_and_nothing_that_steers_a_terminal() throws Exception {
        JsonNode state = new ObjectMapper().readTree(STATE);

        assertThat(String.join("\n", TopCommand.lines(state, Instant.ofEpochMilli(1_000_000))))
                .isEqualTo("""
                        shop 1.2.0, shop-0: leads; up 60s

                        !! maps ns/a: fails: ?[31m?txet (for 3s)
                             mend it
                         ! is late
                             wait
                        CONTROLLER                    BUSY  CHANGE    LIST  RESYNC   LATER  OLDEST
                        maps                           1/4       3       0       1       2  10s
                          > ns/a for 3s, because of added ConfigMap ns/a @7
                          x ns/b failed 6 times: no?way

                        WATCH                                    PHASE       OBJECTS  LAST SIGN  RELISTS
                        configmaps in ns                         watching         12         5m        1""");
    }

    @Test
    void asks_the_printed_address_with_its_token(Vertx vertx) throws Exception {
        HttpServer server = vertx.createHttpServer()
                .requestHandler(request -> {
                    boolean known = "Bearer t0ken".equals(request.getHeader("Authorization"))
                            && request.path().equals("/live/state");
                    request.response().setStatusCode(known ? 200 : 401).end(known ? STATE : "Unauthorized: no\n");
                })
                .listen(0, "127.0.0.1")
                .await(10, TimeUnit.SECONDS);
        String page = "http://127.0.0.1:" + server.actualPort() + "/live";

        assertThat(execute("top", "--once", "--url", page + "#t0ken")).isZero();
        assertThat(out.toString()).startsWith("shop 1.2.0, shop-0: leads");

        assertThat(execute("top", "--once", "--url", page + "#another")).isNotZero();
        assertThat(err.toString()).contains("live page", page, "Unauthorized: no");
    }

    @ParameterizedTest
    @ValueSource(strings = {"http://192.0.2.7:8444/live#t0ken", "ftp://127.0.0.1/live#t0ken", "/live#t0ken"})
    void tells_a_token_to_nobody_on_the_way(String url) {
        assertThat(execute("top", "--once", "--url", url)).isNotZero();
        assertThat(err.toString())
                .contains("--url", "https, or http to an address of this machine")
                .doesNotContain("t0ken");
    }

    private int execute(String... words) {
        return new OperatorCommandLine(
                        OperatorDefinition.of(new KindBundle(Widget.class)),
                        Optional.empty(),
                        Map.of(),
                        Map.of(),
                        new PrintWriter(out, true),
                        new PrintWriter(err, true))
                .execute(words);
    }
}

package io.busbar.runtime.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.busbar.runtime.bundle.KindBundle;
import io.busbar.runtime.bundle.OperatorDefinition;
import io.busbar.runtime.bundle.Widget;
import io.busbar.runtime.management.CertificateFolder;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.ServerWebSocket;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.junit5.VertxExtension;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
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

    private static final String PODS = """
            {"apiVersion": "v1", "kind": "PodList", "metadata": {}, "items": [
             {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "widget-0", "namespace": "widget-system"},
              "status": {"conditions": [{"type": "Ready", "status": "True"}]}}]}
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
                    String answer = switch (request.method() + " " + request.path() + " "
                            + request.getHeader("Authorization")) {
                        case "POST /live/session Bearer t0ken" -> "{\"token\": \"session\"}";
                        case "GET /live/state Bearer session" -> STATE;
                        default -> "";
                    };
                    request.response()
                            .setStatusCode(answer.isEmpty() ? 401 : 200)
                            .end(answer.isEmpty() ? "Unauthorized: no\n" : answer);
                })
                .listen(0, "127.0.0.1")
                .await(60, TimeUnit.SECONDS);
        String page = "http://127.0.0.1:" + server.actualPort() + "/live";

        assertThat(execute("top", "--once", "--url", page + "#t0ken")).isZero();
        assertThat(out.toString()).startsWith("shop 1.2.0, shop-0: leads");

        assertThat(execute("top", "--once", "--url", page + "#another")).isNotZero();
        assertThat(err.toString()).contains("live page", page, "Unauthorized: no");
    }

    /** As the API server forwards a port: by a WebSocket with a channel for what is sent, and one for errors. */
    @Test
    void asks_a_pod_of_the_operator_through_the_api_server(Vertx vertx, @TempDir Path folder) throws Exception {
        CertificateFolder.write(folder);
        HttpServer page = vertx.createHttpServer(new HttpServerOptions()
                        .setSsl(true)
                        .setKeyCertOptions(new PemKeyCertOptions()
                                .setCertPath(folder.resolve("tls.crt").toString())
                                .setKeyPath(folder.resolve("tls.key").toString())))
                .requestHandler(request -> request.response()
                        .setStatusCode("Bearer mine".equals(request.getHeader("Authorization")) ? 200 : 401)
                        .end("Bearer mine".equals(request.getHeader("Authorization")) ? STATE : "Unauthorized: no\n"))
                .listen(0, "127.0.0.1")
                .await(60, TimeUnit.SECONDS);
        HttpServer api = vertx.createHttpServer(
                        new HttpServerOptions().setWebSocketSubProtocols(List.of("v4.channel.k8s.io")))
                .webSocketHandler(socket -> forward(vertx, socket, page.actualPort()))
                .requestHandler(request -> request.response()
                        .putHeader("Content-Type", "application/json")
                        .end(request.path().endsWith("/pods") ? PODS : ""))
                .listen(0, "127.0.0.1")
                .await(60, TimeUnit.SECONDS);
        Path kubeconfig = Files.writeString(folder.resolve("kubeconfig"), """
                {"apiVersion": "v1", "kind": "Config", "current-context": "here",
                 "clusters": [{"name": "here", "cluster": {"server": "http://127.0.0.1:%d"}}],
                 "contexts": [{"name": "here", "context": {"cluster": "here", "user": "me"}}],
                 "users": [{"name": "me", "user": {"token": "mine"}}]}
                """.formatted(api.actualPort()));

        assertThat(execute("top", "--once", "--kubeconfig", kubeconfig.toString()))
                .as(err.toString())
                .isZero();
        assertThat(out.toString()).startsWith("shop 1.2.0, shop-0: leads");
        assertThat(execute("top", "--once", "--kubeconfig", kubeconfig.toString(), "--token", "another"))
                .isNotZero();
        assertThat(err.toString()).contains("Unauthorized: no");
        assertThat(execute("top", "--once", "--kubeconfig", kubeconfig.toString(), "--pod", "widget-1"))
                .isNotZero();
        assertThat(err.toString()).contains("--pod: 'widget-1' is not allowed; allowed: widget-0");
    }

    private static void forward(Vertx vertx, ServerWebSocket socket, int port) {
        socket.pause();
        vertx.createNetClient().connect(port, "127.0.0.1").onSuccess(there -> {
            for (byte channel : new byte[] {0, 1}) { // each begins with the number of the port, little end first
                socket.writeBinaryMessage(Buffer.buffer().appendByte(channel).appendUnsignedShortLE(8444));
            }
            there.handler(data -> socket.writeBinaryMessage(
                    Buffer.buffer().appendByte((byte) 0).appendBuffer(data)));
            socket.binaryMessageHandler(message -> there.write(message.getBuffer(1, message.length())));
            socket.closeHandler(closed -> there.close());
            socket.resume();
        });
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
                        Optional.empty(),
                        Map.of(),
                        new PrintWriter(out, true),
                        new PrintWriter(err, true))
                .execute(words);
    }
}

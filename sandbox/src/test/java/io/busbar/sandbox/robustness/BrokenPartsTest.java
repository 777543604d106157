package io.busbar.sandbox.robustness;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.admission.AdmissionAttributes;
import io.busbar.sandbox.admission.AdmissionChain;
import io.busbar.sandbox.auth.Access;
import io.busbar.sandbox.auth.Authenticator;
import io.busbar.sandbox.auth.ServiceAccountTokens;
import io.busbar.sandbox.auth.TokenRequests;
import io.busbar.sandbox.auth.UserTokens;
import io.busbar.sandbox.clock.ClusterClock;
import io.busbar.sandbox.faults.FaultPlan;
import io.busbar.sandbox.faults.Lags;
import io.busbar.sandbox.http.ApiRequest;
import io.busbar.sandbox.http.ApiServer;
import io.busbar.sandbox.http.HttpSettings;
import io.busbar.sandbox.http.RequestLog;
import io.busbar.sandbox.kinds.BuiltInKinds;
import io.busbar.sandbox.kinds.service.ServiceAddresses;
import io.busbar.sandbox.rbac.Unrestricted;
import io.busbar.sandbox.resource.BuiltIn;
import io.busbar.sandbox.resource.Catalog;
import io.busbar.sandbox.resource.Release;
import io.busbar.sandbox.storage.MemoryStore;
import io.busbar.sandbox.verbs.Cluster;
import io.busbar.sandbox.verbs.Verbs;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.junit5.VertxExtension;
import io.vertx.junit5.VertxTestContext;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.slf4j.LoggerFactory;

/** An API server whose parts throw what they never should. */
@ExtendWith(VertxExtension.class)
class BrokenPartsTest {

    private static final String NODES = "/api/v1/nodes";
    private static final String NODE = "{\"metadata\":{\"name\":\"n\"}}";

    private final Logger logger = (Logger) LoggerFactory.getLogger("io.busbar.sandbox.http.Responses");
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();
    private final RequestLog requests = new RequestLog(Instant::now);

    @BeforeEach
    void listen() {
        log.start();
        logger.addAppender(log);
        logger.setAdditive(false);
    }

    @AfterEach
    void leave() {
        logger.detachAppender(log);
        logger.setAdditive(true);
    }

    @Test
    void a_handler_that_throws_is_an_internal_error_with_an_id(Vertx vertx, VertxTestContext test) {
        ask(vertx, HttpMethod.POST, NODES, "application/json", NODE)
                .onComplete(test.succeeding(answer -> test.verify(() -> {
                    assertInternalError(answer);
                    test.completeNow();
                })));
    }

    @Test
    void an_answer_that_cannot_be_rendered_is_an_internal_error_too(Vertx vertx, VertxTestContext test) {
        ask(vertx, HttpMethod.GET, NODES, "application/json;as=Table;g=meta.k8s.io;v=v1", "")
                .onComplete(test.succeeding(answer -> test.verify(() -> {
                    assertInternalError(answer);
                    test.completeNow();
                })));
    }

    private record Answer(int code, String id, String body) {}

    private void assertInternalError(Answer answer) {
        assertThat(answer.code()).isEqualTo(500);
        assertThat(answer.body()).contains("\"kind\":\"Status\"", "\"reason\":\"InternalError\"", "broken");
        assertThat(log.list).hasSize(1);
        assertThat(log.list.get(0).getKeyValuePairs())
                .anySatisfy(pair -> assertThat(pair.key + "=" + pair.value).isEqualTo("requestID=" + answer.id()));
        assertThat(requests.latest()).extracting(ApiRequest::id).containsExactly(answer.id());
    }

    private Future<Answer> ask(Vertx vertx, HttpMethod method, String path, String accept, String body) {
        HttpClient client = vertx.createHttpClient();
        return vertx.createHttpServer()
                .requestHandler(broken(vertx))
                .listen(0, "127.0.0.1")
                .compose(server -> client.request(method, server.actualPort(), "127.0.0.1", path))
                .compose(request -> request.putHeader("Accept", accept)
                        .putHeader("Content-Type", "application/json")
                        .send(Buffer.buffer(body)))
                .compose(BrokenPartsTest::read)
                .eventually(client::close);
    }

    private static Future<Answer> read(HttpClientResponse response) {
        return response.body()
                .map(body -> new Answer(response.statusCode(), response.getHeader("Audit-Id"), body.toString()));
    }

    private ApiServer broken(Vertx vertx) {
        ClusterClock clock = ClusterClock.of(vertx, () -> {
            throw new IllegalStateException("a broken clock");
        });
        MemoryStore store = new MemoryStore(16, Runnable::run);
        Cluster cluster = new Cluster(
                new Catalog(BuiltIn.resources(BuiltInKinds.of(ServiceAddresses.of(store)), new Release(36))),
                store,
                new BrokenAdmission(),
                clock,
                new Release(36));
        HttpSettings settings = new HttpSettings(
                "v1.36.2", Duration.ZERO, new FaultPlan(), new Lags(store, clock), requests, false, false);
        ServiceAccountTokens tokens = new ServiceAccountTokens(store, "a".repeat(44), clock);
        Access access = new Access(
                new Authenticator("admin", true, new UserTokens(), tokens),
                new Unrestricted(),
                new TokenRequests(store, tokens, clock, new Release(36)));
        return new ApiServer(vertx, cluster, Verbs.of(cluster), settings, access);
    }

    private static final class BrokenAdmission implements AdmissionChain {

        @Override
        public Future<@Nullable ObjectNode> mutate(AdmissionAttributes attributes, @Nullable ObjectNode object) {
            throw new IllegalStateException("a broken chain");
        }

        @Override
        public Future<Void> validate(AdmissionAttributes attributes, @Nullable ObjectNode object) {
            throw new IllegalStateException("a broken chain");
        }
    }
}

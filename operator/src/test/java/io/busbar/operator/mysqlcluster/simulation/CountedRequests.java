package io.busbar.operator.mysqlcluster.simulation;

import com.fasterxml.jackson.databind.JsonNode;
import io.busbar.sandbox.http.DirectServer.Answered;
import io.busbar.testkit.memory.Passage;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;

/** Has what the operator asks of the API server counted among its {@link Calls}, under the name of what it changes. */
final class CountedRequests implements Passage {

    private final Calls calls;

    CountedRequests(Calls calls) {
        this.calls = calls;
    }

    @Override
    public Answered pass(Request request, Server server) throws IOException {
        if (request.uri().matches(".*/statefulsets/[^/]+/status(\\?.*)?")) {
            // The controller of StatefulSets asks, not the operator.
            return server.answer();
        }
        return request.method().equals("GET")
                ? calls.<Answered, IOException>ask(request.uri(), server::answer)
                : calls.<Answered, IOException>change(name(request), server::answer, IOException::new);
    }

    private static String name(Request request) {
        String path = request.uri().replaceFirst("\\?.*", "");
        String object = path.replaceFirst(".*/", "");
        JsonNode body = Serialization.unmarshal(request.body(), JsonNode.class);
        String kind = body.path("kind").asText() + " "
                + body.path("metadata").path("name").asText();
        if (path.endsWith("/mysqlclusters/db/status")) {
            return "status";
        }
        return switch (request.method()) {
            case "POST" ->
                request.uri().contains("fieldValidation=")
                        ? "apply " + kind
                        : "create " + body.path("metadata").path("name").asText();
            case "DELETE" ->
                "delete " + object
                        + (body.has("gracePeriodSeconds")
                                ? " within PT" + body.path("gracePeriodSeconds").asText() + "S"
                                : "");
            default ->
                request.uri().contains("fieldManager=") && body.has("kind")
                        ? "apply " + kind
                        : request.method() + " " + path.replaceFirst(".*/default/", "") + " "
                                + request.body()
                                        .replaceFirst(",?\"resourceVersion\":\"[0-9]+\"", "")
                                        // Passwords are other ones each time.
                                        .replaceFirst("\"stringData\":\\{[^}]*\\}", "");
        };
    }
}

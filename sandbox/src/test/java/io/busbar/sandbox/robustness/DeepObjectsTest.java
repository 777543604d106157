package io.busbar.sandbox.robustness;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.sandbox.Sandbox;
import io.busbar.sandbox.SandboxOptions;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Documents of great depth: what was let in can always be given out. */
class DeepObjectsTest {

    @AutoClose
    private static final Sandbox SANDBOX =
            Sandbox.start(SandboxOptions.defaults().withTls(false));

    private static final String WIDGETS = "/apis/test.busbar.io/v1/namespaces/default/widgets";
    private static final int DEEP = 995;
    private static final String DEFINITION = """
            {apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, metadata: {name: widgets.test.busbar.io},
             spec: {group: test.busbar.io, scope: Namespaced, names: {plural: widgets, kind: Widget}, versions: [
              {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, properties: {
                free: {type: object, x-kubernetes-preserve-unknown-fields: true}}}}}]}}""";

    private final HttpClient http = HttpClient.newHttpClient();

    @BeforeEach
    void define() throws Exception {
        String definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
        assertThat(send("POST", definitions, "application/yaml", DEFINITION).statusCode())
                .isEqualTo(201);
        Awaitility.await()
                .atMost(Duration.ofMinutes(1))
                .until(() -> list("application/json").statusCode() == 200);
    }

    @Test
    void are_refused_or_given_out_again_in_all_forms() throws Exception {
        HttpResponse<String> made = send(
                "POST",
                WIDGETS,
                "application/json",
                "{\"apiVersion\":\"test.busbar.io/v1\",\"kind\":\"Widget\",\"metadata\":{\"name\":\"deep\"},\"free\":"
                        + nested(DEEP) + "}");
        assertThat(made.statusCode()).as(made.body()).isEqualTo(201);
        assertReadable();
        String patch =
                "[{\"op\":\"add\",\"path\":\"/free" + "/d".repeat(DEEP - 1) + "\",\"value\":" + nested(DEEP) + "}]";
        assertThat(send("PATCH", WIDGETS + "/deep", "application/json-patch+json", patch)
                        .statusCode())
                .isEqualTo(422);
        assertThat(send("POST", WIDGETS, "application/json", nested(100_000)).statusCode())
                .isEqualTo(400);
        assertThat(send("POST", WIDGETS, "application/yaml", "{a: ".repeat(5_000))
                        .statusCode())
                .isEqualTo(400);
        assertReadable();
    }

    private void assertReadable() throws Exception {
        for (String accept : new String[] {"application/json", "application/yaml"}) {
            HttpResponse<String> list = list(accept);
            assertThat(list.statusCode()).isEqualTo(200);
            assertThat(list.body()).contains("bottom");
        }
    }

    private HttpResponse<String> list(String accept) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(SANDBOX.url() + WIDGETS))
                .header("Authorization", "Bearer " + SANDBOX.token())
                .header("Accept", accept)
                .build();
        return http.send(request, BodyHandlers.ofString());
    }

    private static String nested(int depth) {
        return "{\"d\":".repeat(depth) + "\"bottom\"" + "}".repeat(depth);
    }

    private HttpResponse<String> send(String method, String path, String type, String body) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(SANDBOX.url() + path))
                .header("Authorization", "Bearer " + SANDBOX.token())
                .header("Content-Type", type)
                .method(method, BodyPublishers.ofString(body))
                .build();
        return http.send(request, BodyHandlers.ofString());
    }
}

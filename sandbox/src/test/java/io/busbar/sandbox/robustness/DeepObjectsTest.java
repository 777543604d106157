package io.busbar.sandbox.robustness;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.sandbox.Sandbox;
import io.busbar.sandbox.testkit.KubernetesSandbox;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import org.junit.jupiter.api.Test;

/** Documents of great depth: what was let in can always be given out. */
@KubernetesSandbox(tls = false)
class DeepObjectsTest {

    private static final String MAPS = "/api/v1/namespaces/default/configmaps";
    private static final int DEEP = 995;

    private final HttpClient http = HttpClient.newHttpClient();
    private final Sandbox sandbox;

    DeepObjectsTest(Sandbox sandbox) {
        this.sandbox = sandbox;
    }

    @Test
    void are_refused_or_given_out_again_in_all_forms() throws Exception {
        HttpResponse<String> made = send(
                "POST",
                MAPS,
                "application/json",
                "{\"metadata\":{\"name\":\"deep\"},\"unknown\":" + nested(DEEP) + "}");
        assertThat(made.statusCode()).as(made.body()).isEqualTo(201);
        assertReadable();
        String patch =
                "[{\"op\":\"add\",\"path\":\"/unknown" + "/d".repeat(DEEP - 1) + "\",\"value\":" + nested(DEEP) + "}]";
        assertThat(send("PATCH", MAPS + "/deep", "application/json-patch+json", patch)
                        .statusCode())
                .isEqualTo(422);
        assertThat(send("POST", MAPS, "application/json", nested(100_000)).statusCode())
                .isEqualTo(400);
        assertThat(send("POST", MAPS, "application/yaml", "{a: ".repeat(5_000)).statusCode())
                .isEqualTo(400);
        assertReadable();
    }

    private void assertReadable() throws Exception {
        for (String accept : new String[] {"application/json", "application/yaml"}) {
            HttpRequest request = HttpRequest.newBuilder(URI.create(sandbox.url() + MAPS))
                    .header("Accept", accept)
                    .build();
            HttpResponse<String> list = http.send(request, BodyHandlers.ofString());
            assertThat(list.statusCode()).isEqualTo(200);
            assertThat(list.body()).contains("bottom");
        }
    }

    private static String nested(int depth) {
        return "{\"d\":".repeat(depth) + "\"bottom\"" + "}".repeat(depth);
    }

    private HttpResponse<String> send(String method, String path, String type, String body) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(sandbox.url() + path))
                .header("Content-Type", type)
                .method(method, BodyPublishers.ofString(body))
                .build();
        return http.send(request, BodyHandlers.ofString());
    }
}

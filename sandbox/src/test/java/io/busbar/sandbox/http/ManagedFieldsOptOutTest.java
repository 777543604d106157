package io.busbar.sandbox.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.busbar.sandbox.FeatureGate;
import io.busbar.sandbox.Sandbox;
import io.busbar.sandbox.SandboxOptions;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Answers without metadata.managedFields, for who asks for that (KEP-5958). */
class ManagedFieldsOptOutTest {

    private static final String PARTIAL = "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1";
    private static final String PARTIAL_LIST = "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1";
    private static final String DROP = "application/json;drop=metadata.managedFields";
    private static final String MAPS = "/api/v1/namespaces/default/configmaps";
    private static final String MAP = MAPS + "/taken";
    private static final String APPLIED =
            "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"taken\"},\"data\":{\"a\":\"b\"}}";

    private static final HttpClient HTTP = HttpClient.newHttpClient();
    private static final ObjectMapper JSON = new ObjectMapper();
    private static Sandbox sandbox;

    @BeforeAll
    static void start() throws Exception {
        sandbox = start(true);
        assertThat(apply(sandbox, "application/json").at("/metadata/managedFields"))
                .hasSize(1);
    }

    @AfterAll
    static void stop() {
        sandbox.close();
    }

    private static Sandbox start(boolean gate) {
        return Sandbox.start(SandboxOptions.defaults()
                .withTls(false)
                .withNodes(0)
                .withFeatureGate(FeatureGate.MANAGED_FIELDS_OPT_OUT, gate));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                DROP,
                "application/json; drop=metadata.managedFields",
                "*/*;drop=metadata.managedFields",
                "application/json;drop=metadata.labels+metadata.managedFields+spec",
                PARTIAL + ";drop=metadata.managedFields," + DROP
            })
    void an_object_comes_without_them(String accepted) throws Exception {
        JsonNode object = get(MAP, accepted);
        assertThat(object.at("/metadata/name").asText()).isEqualTo("taken");
        assertThat(object.path("metadata").has("managedFields")).isFalse();
        assertThat(object.path("metadata").has("uid")).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "application/json",
                "application/json;drop=",
                "application/json;drop=managedFields",
                "application/json;drop=metadata.managedFields.time",
                "application/yaml;drop=metadata.managedFields",
                PARTIAL
            })
    void they_are_there_for_all_others(String accepted) throws Exception {
        assertThat(text(sandbox, "GET", MAP, accepted, "")).contains("managedFields");
    }

    @Test
    void lists_and_what_a_write_answers_come_without_them_and_the_object_keeps_them() throws Exception {
        for (String accepted : new String[] {DROP, PARTIAL_LIST + ";drop=metadata.managedFields"}) {
            JsonNode list = get(MAPS, accepted);
            assertThat(list.path("items")).isNotEmpty();
            assertThat(list.findParents("managedFields")).isEmpty();
        }
        assertThat(apply(sandbox, DROP).path("metadata").has("managedFields")).isFalse();
        assertThat(get(MAP, "application/json")
                        .at("/metadata/managedFields/0/manager")
                        .asText())
                .isEqualTo("me");
    }

    @Test
    void watches_come_without_them() throws Exception {
        assertThat(events(DROP))
                .hasSize(1)
                .noneMatch(event -> event.contains("managedFields"))
                .allMatch(event -> event.contains("\"data\":{\"a\":\"b\"}"));
        assertThat(events(PARTIAL + ";drop=metadata.managedFields"))
                .hasSize(1)
                .noneMatch(event -> event.contains("managedFields"));
        assertThat(events("application/json")).hasSize(1).allMatch(event -> event.contains("managedFields"));
    }

    @Test
    void without_the_gate_nobody_reads_the_parameter() throws Exception {
        try (Sandbox plain = start(false)) {
            assertThat(apply(plain, DROP).at("/metadata/managedFields")).hasSize(1);
        }
    }

    /** The first state, within the second that the watch lasts. */
    private static Stream<String> events(String accepted) throws Exception {
        return text(
                        sandbox,
                        "GET",
                        MAPS + "?watch=true&timeoutSeconds=1&fieldSelector=metadata.name%3Dtaken",
                        accepted,
                        "")
                .lines();
    }

    private static JsonNode apply(Sandbox server, String accepted) throws Exception {
        return JSON.readTree(text(server, "PATCH", MAP + "?fieldManager=me", accepted, APPLIED));
    }

    private static JsonNode get(String path, String accepted) throws Exception {
        return JSON.readTree(text(sandbox, "GET", path, accepted, ""));
    }

    private static String text(Sandbox server, String method, String path, String accepted, String body)
            throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(server.url() + path))
                .method(method, BodyPublishers.ofString(body))
                .header("Accept", accepted)
                .header("Authorization", "Bearer " + server.token())
                .header("Content-Type", "application/apply-patch+yaml")
                .build();
        return HTTP.send(request, BodyHandlers.ofString()).body();
    }
}

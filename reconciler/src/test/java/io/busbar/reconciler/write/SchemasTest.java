package io.busbar.reconciler.write;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.common.ResourceType;
import io.busbar.reconciler.CannedApi;
import io.busbar.reconciler.CannedApi.Answer;
import io.busbar.reconciler.CannedApi.Received;
import io.busbar.reconciler.write.Shape.Merge;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SchemasTest {

    private static final String TAGS = "tags: {type: array, x-kubernetes-list-type: %s}";

    private final AtomicLong now = new AtomicLong();
    private String hash = "1";
    private String listType = "set";
    private CannedApi api;
    private Schemas schemas;

    @BeforeEach
    void start() throws Exception {
        api = new CannedApi();
        api.answer(this::third);
        schemas = new Schemas(new ApiRequests(api.client()), now::get);
    }

    @AfterEach
    void stop() throws Exception {
        api.close();
    }

    private Answer third(Received request) {
        if (request.path().equals("/openapi/v3")) {
            return new Answer(
                    200,
                    new JsonObject(
                            "{\"paths\":{\"apis/example.com/v1\":{\"serverRelativeURL\":\"/openapi/v3/apis/example.com/v1?hash="
                                    + hash + "\"}}}"));
        }
        return new Answer(200, new JsonObject(SchemaText.third(TAGS.formatted(listType))));
    }

    private Answer onlySecond(Received request) {
        return request.path().equals("/openapi/v2")
                ? new Answer(200, new JsonObject(SchemaText.second()))
                : Answer.failure(404, "not found");
    }

    private Merge tags() {
        return schemas.of(SchemaText.THING)
                .orElseThrow()
                .field("spec")
                .field("tags")
                .merge();
    }

    private List<String> asked() {
        return api.received().stream().map(Received::path).toList();
    }

    private void pass(Duration time) {
        now.addAndGet(time.toNanos());
    }

    @Test
    void a_document_is_fetched_when_it_is_first_asked_for_and_kept() {
        assertThat(asked()).isEmpty();
        assertThat(tags()).isEqualTo(Merge.SET);
        assertThat(tags()).isEqualTo(Merge.SET);

        assertThat(asked()).containsExactly("/openapi/v3", "/openapi/v3/apis/example.com/v1");
        assertThat(api.received().get(1).query()).isEqualTo("hash=1");
    }

    @Test
    void after_a_while_the_index_is_asked_and_the_document_only_if_its_hash_is_another() {
        tags();
        listType = "atomic";
        pass(Schemas.FRESH);
        assertThat(tags()).isEqualTo(Merge.SET);
        assertThat(asked()).hasSize(3);

        hash = "2";
        assertThat(tags()).as("not looked at again yet").isEqualTo(Merge.SET);
        pass(Schemas.FRESH);
        assertThat(tags()).isEqualTo(Merge.WHOLE);
        assertThat(asked()).hasSize(5);
    }

    @Test
    void what_is_not_published_yet_is_unknown_and_asked_for_again_after_a_while() {
        ResourceType other = new ResourceType("other.com", "v1", "Other", "others", true);
        assertThat(schemas.of(other)).isEmpty();
        assertThat(schemas.of(other)).isEmpty();
        assertThat(asked()).containsExactly("/openapi/v3");

        pass(Schemas.PATIENCE);
        assertThat(schemas.of(other)).isEmpty();
        assertThat(asked()).containsExactly("/openapi/v3", "/openapi/v3");
    }

    @Test
    void a_server_of_before_the_third_version_is_asked_for_the_second_once_for_all_kinds() {
        api.answer(this::onlySecond);
        ResourceType service = new ResourceType("", "v1", "Service", "services", true);

        assertThat(schemas.of(service)
                        .orElseThrow()
                        .field("spec")
                        .field("ports")
                        .merge())
                .isEqualTo(Merge.KEYED);
        assertThat(schemas.of(SchemaText.THING)).isPresent();
        assertThat(asked()).filteredOn("/openapi/v2"::equals).hasSize(1);
    }

    @Test
    void what_was_known_stays_so_while_schemas_cannot_be_had_and_failures_are_not_repeated_at_once() {
        tags();
        pass(Schemas.FRESH);
        api.answer(request -> Answer.failure(503, "away"));
        assertThat(tags()).isEqualTo(Merge.SET);
        assertThat(tags()).isEqualTo(Merge.SET);
        assertThat(asked()).hasSize(3);

        api.answer(this::third);
        hash = "2";
        listType = "map";
        pass(Schemas.PATIENCE);
        assertThat(tags()).isEqualTo(Merge.KEYED);
    }

    @Test
    void nothing_is_known_where_nothing_may_be_read() {
        api.answer(request -> Answer.failure(403, "forbidden"));

        assertThat(schemas.of(SchemaText.THING)).isEmpty();
        assertThat(schemas.of(SchemaText.THING)).isEmpty();
        assertThat(asked()).hasSize(1);
    }
}

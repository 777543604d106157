package io.busbar.admission.review;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.admission.AdmissionRequest.Operation;
import io.busbar.admission.server.Reviews;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReviewReaderTest {

    @Test
    void reads_what_a_rule_may_ask() throws Exception {
        JsonNode object = new ObjectMapper().readTree(Reviews.podCreate()).at("/request/object");
        Review review = read(Reviews.podCreate());

        assertThat(review.uid()).isEqualTo("0df28fbd-5f5f-11e8-bc74-36e6bb280816");
        assertThat(review.operation()).isEqualTo(Operation.CREATE);
        assertThat(review.resource()).isEqualTo("pods");
        assertThat(review.subResource()).isEmpty();
        assertThat(review.namespace()).isEqualTo("default");
        assertThat(review.name()).isEqualTo("checkout-7d9c6b5f4-x2kqp");
        assertThat(review.username()).isEqualTo("system:serviceaccount:kube-system:replicaset-controller");
        assertThat(review.groups()).hasSize(3).endsWith("system:authenticated");
        assertThat(review.dryRun()).isFalse();
        assertThat(review.kind()).isEqualTo("Pod");
        assertThat(review.oldObject()).isNull();
        ((ObjectNode) object.path("metadata")).remove("managedFields");
        assertThat(review.object()).isEqualTo(object);
        assertThat(review.metadata()).isEqualTo(object.path("metadata"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'metadata':{'managedFields':[{'a':{}}],'name':'n','labels':{}},'spec':1}",
                "{'metadata':{'name':'n','managedFields':[{'a':{}}],'labels':{}},'spec':1}",
                "{'metadata':{'name':'n', 'labels':{} , 'managedFields' : [] } ,'spec':1}",
                "{'spec':1,'metadata':{ 'managedFields':null , 'name':'n', 'labels':{} }}",
                "{'metadata':{'name':'n','labels':{}},'spec':1}",
            })
    void leaves_managed_fields_out_wherever_they_stand(String object) {
        Review review = read(Reviews.create(object.replace('\'', '"')));

        assertThat(review.metadata().toString()).isEqualTo("{\"name\":\"n\",\"labels\":{}}");
        assertThat(review.object().path("metadata")).isEqualTo(review.metadata());
        assertThat(review.object().path("spec").asInt()).isEqualTo(1);
    }

    @Test
    void leaves_managed_fields_out_where_there_is_nothing_else() {
        Review review = read(Reviews.create("{\"metadata\":{ \"managedFields\":[1] },\"managedFields\":2}"));

        assertThat(review.metadata()).isEmpty();
        assertThat(review.object().toString()).isEqualTo("{\"metadata\":{},\"managedFields\":2}");
    }

    @Test
    void finds_metadata_wherever_it_stands() {
        Review review =
                read(Reviews.create("{\"spec\":{\"metadata\":{\"name\":\"no\"}}, \"metadata\" : {\"name\":\"yes\"} }"));

        assertThat(review.metadata().path("name").asText()).isEqualTo("yes");
    }

    @Test
    void takes_the_name_from_the_object_where_the_request_has_none() {
        assertThat(read(Reviews.create("{\"metadata\":{\"name\":\"given\"}}")).name())
                .isEqualTo("given");
        assertThat(read(Reviews.create("{\"metadata\":{\"generateName\":\"g-\"}}"))
                        .name())
                .isEmpty();
    }

    @Test
    void reads_escaped_names_and_values() {
        Review review = read(Reviews.podCreate()
                .replace("\"operation\":\"CREATE\"", "\"op\\u0065ration\":\"\\u0044ELETE\"")
                .replace("\"namespace\":\"default\",\"operation", "\"namespace\":\"gr\\u00fc\\u00dfe\",\"operation"));

        assertThat(review.operation()).isEqualTo(Operation.DELETE);
    }

    @Test
    void keeps_the_digits_of_numbers() {
        Review review = read(Reviews.create("{\"a\":1.10,\"b\":12345678901234567890123,\"c\":1e400}"));

        assertThat(review.object().toString()).isEqualTo("{\"a\":1.10,\"b\":12345678901234567890123,\"c\":1E+400}");
    }

    @Test
    void refuses_json_that_is_too_deep() {
        assertThatThrownBy(() -> read(Reviews.create("[".repeat(100_000))))
                .isInstanceOf(MalformedReviewException.class)
                .hasMessageContaining("request.object is not an object");
        assertThatThrownBy(() -> read(Reviews.create("{\"a\":" + "[".repeat(100_000))))
                .isInstanceOf(MalformedReviewException.class)
                .hasMessageContaining("more than 500 levels");
    }

    private static Review read(String text) {
        return ReviewReader.read(text.getBytes(StandardCharsets.UTF_8));
    }
}

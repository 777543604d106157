package io.busbar.common.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ApiFailureTest {

    @ParameterizedTest
    @CsvSource({
        "404, NotFound",
        "409, Conflict",
        "410, Gone",
        "400, Rejected",
        "401, Rejected",
        "403, Rejected",
        "405, Rejected",
        "413, Rejected",
        "415, Rejected",
        "422, Rejected",
        "0, Unavailable",
        "408, Unavailable",
        "429, Unavailable",
        "500, Unavailable",
        "503, Unavailable",
        "504, Unavailable"
    })
    void each_code_has_its_remedy(int code, String remedy) {
        ApiFailure failure = ApiFailure.of(code, "said");

        assertThat(failure.getClass().getSimpleName()).isEqualTo(remedy);
        assertThat(failure.code()).isEqualTo(code);
        assertThat(failure.message()).isEqualTo("said");
    }

    @Test
    void the_message_is_what_the_server_said_where_it_said_something() {
        var status = new StatusBuilder().withMessage("said").withCode(422).build();

        assertThat(ApiFailure.of(new KubernetesClientException(status)))
                .isEqualTo(new ApiFailure.Rejected(422, "said"));
        assertThat(ApiFailure.of(new KubernetesClientException("no route to host")))
                .isEqualTo(new ApiFailure.Unavailable(0, "no route to host"));
    }
}

package io.busbar.common.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FirstRefusalTest {

    private final FirstRefusal refusal = new FirstRefusal();

    private static KubernetesClientException answered(int code) {
        return new KubernetesClientException(
                new StatusBuilder().withCode(code).withMessage("said").build());
    }

    private boolean isAllowed(KubernetesClientException answer) {
        return refusal.attempt(() -> {
            throw answer;
        });
    }

    @Test
    void what_is_refused_first_is_thrown_in_the_end() {
        KubernetesClientException first = answered(403);
        assertThat(isAllowed(first)).isFalse();
        assertThat(isAllowed(answered(422))).isFalse();
        assertThat(refusal.attempt(() -> true)).isTrue();

        assertThat(refusal.count()).isEqualTo(2);
        assertThat(refusal.first()).containsSame(first);
        assertThatThrownBy(refusal::throwFirst).isSameAs(first);
    }

    @Test
    void nothing_is_thrown_where_all_are_allowed() {
        assertThat(refusal.attempt(() -> true)).isTrue();
        assertThat(refusal.first()).isEmpty();
        assertThatCode(refusal::throwFirst).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(ints = {408, 429, 502, 503, 504})
    void no_other_one_is_sent_where_the_api_server_cannot_answer_now(int code) {
        KubernetesClientException answer = answered(code);
        assertThatThrownBy(() -> isAllowed(answer)).isSameAs(answer);
        assertThat(refusal.count()).isZero();
    }

    @Test
    void no_other_one_is_sent_where_there_is_no_answer() {
        assertThatThrownBy(() -> isAllowed(new KubernetesClientException("no answer")))
                .isInstanceOf(KubernetesClientException.class);
    }

    @Test
    void a_webhook_that_cannot_be_called_is_in_the_way_of_one() {
        assertThat(isAllowed(answered(500))).isFalse();
    }
}

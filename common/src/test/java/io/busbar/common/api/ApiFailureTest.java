package io.busbar.common.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.UnresolvedAddressException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

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

    @ParameterizedTest
    @MethodSource("unanswered")
    void without_an_answer_it_says_why(Throwable cause, String why) {
        Exception call = new KubernetesClientException("An error has occurred.", new ExecutionException(cause));

        assertThat(ApiFailure.reason(call)).isEqualTo(why);
        assertThat(ApiFailure.noAnswer(new CompletionException(cause))).isEqualTo(new ApiFailure.Unavailable(0, why));
    }

    static Stream<Arguments> unanswered() {
        return Stream.of(
                arguments(new IOException(null, connecting(new ClosedChannelException())), "cannot connect"),
                arguments(new IOException(connecting(new ClosedChannelException())), "cannot connect"),
                arguments(new IOException(null, connecting(new UnresolvedAddressException())), "unknown host"),
                arguments(
                        new IOException("no path", new SSLHandshakeException("no path")),
                        "SSLHandshakeException: no path"),
                arguments(new IOException("broken off", new EOFException()), "IOException: broken off"),
                arguments(new TimeoutException(), "no answer"),
                arguments(new InterruptedException(), "interrupted"));
    }

    private static Exception connecting(Exception cause) {
        return (Exception) new ConnectException().initCause(cause);
    }

    @Test
    void any_other_failure_speaks_for_itself() {
        assertThat(ApiFailure.reason(new IllegalStateException("not now"))).isEqualTo("not now");
        assertThat(ApiFailure.reason(new IllegalStateException())).isEqualTo("java.lang.IllegalStateException");
    }
}

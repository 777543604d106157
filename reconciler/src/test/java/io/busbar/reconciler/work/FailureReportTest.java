package io.busbar.reconciler.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.busbar.reconciler.TerminalException;
import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.net.ConnectException;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class FailureReportTest {

    @ParameterizedTest
    @MethodSource("failures")
    void tells_which_call_failed_and_why(Throwable failure, String told) {
        assertThat(FailureReport.message(failure)).isEqualTo(told);
    }

    static Stream<Arguments> failures() {
        return Stream.of(
                arguments(
                        new KubernetesClientException(
                                "Operation: [get] failed.", new IOException(new ConnectException())),
                        "Operation: [get] failed. cannot connect"),
                arguments(
                        new KubernetesClientException(
                                "POST /api: no room",
                                403,
                                new StatusBuilder().withMessage("no room").build()),
                        "POST /api: no room"),
                arguments(
                        new KubernetesClientException("PUT /api: no answer within 5 ms", new TimeoutException()),
                        "PUT /api: no answer within 5 ms"),
                arguments(new TerminalException("spec.size is wrong"), "spec.size is wrong"),
                arguments(new IllegalStateException("a bug"), "java.lang.IllegalStateException: a bug"));
    }
}

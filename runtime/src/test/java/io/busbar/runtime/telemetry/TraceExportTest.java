package io.busbar.runtime.telemetry;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.busbar.common.configuration.InvalidConfigurationException;
import io.busbar.runtime.options.TracingOptions;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class TraceExportTest {

    private static final String PROTOCOL = "otel.exporter.otlp.protocol";

    @Test
    void names_the_protocol_that_it_cannot_speak() {
        System.setProperty(PROTOCOL, "grpc"); // stands for the variable, which no test can set
        try {
            assertThatThrownBy(() ->
                            TraceExport.start(new TracingOptions(Optional.empty(), OptionalDouble.empty()), "test"))
                    .isInstanceOf(InvalidConfigurationException.class)
                    .hasMessageContaining("OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' is not allowed; allowed: http/protobuf");
        } finally {
            System.clearProperty(PROTOCOL);
        }
    }
}

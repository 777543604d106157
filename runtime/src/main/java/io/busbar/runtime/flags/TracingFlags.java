package io.busbar.runtime.flags;

import io.busbar.runtime.options.TracingOptions;
import java.net.URI;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** Where traces go. For one thread. */
final class TracingFlags {

    @Option(
            names = "--tracing-endpoint",
            paramLabel = "URL",
            converter = Collector.class,
            description = "Sends traces to this collector, such as http://collector:4318, by OTLP over HTTP."
                    + " Default: what OTEL_EXPORTER_OTLP_ENDPOINT says, else none.")
    private @Nullable URI endpoint;

    @Option(
            names = "--tracing-sampling-ratio",
            paramLabel = "RATIO",
            converter = Ratio.class,
            description =
                    "Which part of the traces is kept, from 0 to 1. Default: what OTEL_TRACES_SAMPLER says, else 1.")
    private @Nullable Double samplingRatio;

    Optional<TracingOptions> options() {
        boolean byEnvironment = Stream.of("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT")
                .map(System::getenv)
                .anyMatch(value -> value != null && !value.isBlank());
        return endpoint == null && !byEnvironment
                ? Optional.empty()
                : Optional.of(new TracingOptions(
                        Optional.ofNullable(endpoint),
                        samplingRatio == null ? OptionalDouble.empty() : OptionalDouble.of(samplingRatio)));
    }

    private static final class Collector implements ITypeConverter<URI> {
        @Override
        public URI convert(String value) {
            URI uri = uri(value);
            if (uri == null
                    || uri.getHost() == null
                    || !String.valueOf(uri.getScheme()).matches("https?")) {
                throw new TypeConversionException(
                        "'" + value + "' is not allowed; allowed: http[s]://HOST[:PORT][/PATH]");
            }
            return uri;
        }

        private static @Nullable URI uri(String value) {
            try {
                return URI.create(value);
            } catch (IllegalArgumentException notAUri) {
                return null;
            }
        }
    }

    private static final class Ratio implements ITypeConverter<Double> {
        @Override
        public Double convert(String value) {
            if (!value.matches("0|1|[01]?\\.\\d+") || Double.parseDouble(value) > 1) {
                throw new TypeConversionException("'" + value + "' is not allowed; allowed: a number from 0 to 1");
            }
            return Double.valueOf(value);
        }
    }
}

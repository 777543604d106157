package io.busbar.runtime.flags;

import io.busbar.common.configuration.ConfigurationProblem;
import io.busbar.runtime.options.OperatorOptions.RequestRate;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** How much is asked of the API server, as managers of controller-runtime are told. For one thread. */
final class RequestRateFlags {

    @Option(
            names = "--kube-api-qps",
            paramLabel = "N",
            converter = PerSecond.class,
            description =
                    "Requests to the API server in a second, watches and those of the leader election not counted."
                            + " Default: no limit.")
    private @Nullable Double perSecond;

    @Option(
            names = "--kube-api-burst",
            paramLabel = "N",
            converter = Burst.class,
            description = "How many of them are sent at once after a quiet while. Default: twice --kube-api-qps.")
    private @Nullable Integer burst;

    /** What no single flag shows. */
    List<ConfigurationProblem> problems() {
        return burst != null && perSecond == null
                ? List.of(new ConfigurationProblem("--kube-api-burst", burst.toString(), "only with --kube-api-qps"))
                : List.of();
    }

    Optional<RequestRate> rate() {
        return perSecond == null
                ? Optional.empty()
                : Optional.of(new RequestRate(
                        perSecond, burst != null ? burst : (int) Math.max(1, Math.ceil(2 * perSecond))));
    }

    /** Reads a rate, from 0.01 to 100,000. Immutable. */
    static final class PerSecond implements ITypeConverter<Double> {

        private static final double LEAST = 0.01;
        private static final double MOST = 100_000;

        @Override
        public Double convert(String value) {
            if (!value.matches("\\d{1,6}(\\.\\d{1,6})?")
                    || Double.parseDouble(value) < LEAST
                    || Double.parseDouble(value) > MOST) {
                throw new TypeConversionException(
                        "'" + value + "' is not allowed; allowed: a number from 0.01 to 100000");
            }
            return Double.valueOf(value);
        }
    }

    /** Reads a number of requests, from 1 to 100,000. Immutable. */
    static final class Burst implements ITypeConverter<Integer> {

        @Override
        public Integer convert(String value) {
            if (!value.matches("[1-9]\\d{0,4}|100000")) {
                throw new TypeConversionException(
                        "'" + value + "' is not allowed; allowed: a whole number from 1 to 100000");
            }
            return Integer.valueOf(value);
        }
    }
}

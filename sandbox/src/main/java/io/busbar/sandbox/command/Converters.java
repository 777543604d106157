package io.busbar.sandbox.command;

import io.busbar.sandbox.FeatureGate;
import io.busbar.sandbox.SandboxOptions;
import java.util.Arrays;
import java.util.function.Function;
import java.util.stream.Collectors;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Read what flags of the sandbox are given. Immutable. */
final class Converters {

    private Converters() {}

    /** A version of Kubernetes, with or without its v. */
    static final class KubernetesVersion implements ITypeConverter<String> {

        @Override
        public String convert(String value) {
            if (!value.matches("v?1\\.\\d{1,3}\\.\\d{1,3}([-+][\\w.+-]+)?")) {
                throw new TypeConversionException("'" + value + "' is not allowed; allowed: a version such as v1.36.2");
            }
            return value.startsWith("v") ? value : "v" + value;
        }
    }

    /** A number of nodes, from 0 to 1000. */
    static final class Nodes implements ITypeConverter<Integer> {

        private static final int MOST = 1000;

        @Override
        public Integer convert(String value) {
            if (!value.matches("\\d{1,4}") || Integer.parseInt(value) > MOST) {
                throw new TypeConversionException(
                        "'" + value + "' is not allowed; allowed: a number from 0 to " + MOST);
            }
            return Integer.valueOf(value);
        }
    }

    /** An address to listen on, as {@link SandboxOptions} takes it. */
    static final class Bound implements ITypeConverter<String> {

        @Override
        public String convert(String value) {
            return taken(value, SandboxOptions.defaults()::withBindAddress);
        }
    }

    /** One by which clients reach the server. */
    static final class Advertised implements ITypeConverter<String> {

        @Override
        public String convert(String value) {
            return taken(value, SandboxOptions.defaults()::withAdvertiseAddresses);
        }
    }

    /** A gate, by the name that it has in Kubernetes. */
    static final class Gate implements ITypeConverter<FeatureGate> {

        @Override
        public FeatureGate convert(String value) {
            return Arrays.stream(FeatureGate.values())
                    .filter(gate -> gate.toString().equals(value))
                    .findFirst()
                    .orElseThrow(() -> new TypeConversionException("'" + value + "' is not allowed; allowed: "
                            + Arrays.stream(FeatureGate.values())
                                    .map(FeatureGate::toString)
                                    .collect(Collectors.joining(", "))));
        }
    }

    /** Whether a gate is open. */
    static final class Open implements ITypeConverter<Boolean> {

        @Override
        public Boolean convert(String value) {
            if (!value.equals("true") && !value.equals("false")) {
                throw new TypeConversionException("'" + value + "' is not allowed; allowed: true, false");
            }
            return Boolean.valueOf(value);
        }
    }

    private static String taken(String value, Function<String, SandboxOptions> by) {
        try {
            SandboxOptions unused = by.apply(value);
            return value;
        } catch (IllegalArgumentException refused) {
            throw new TypeConversionException(refused.getMessage());
        }
    }
}

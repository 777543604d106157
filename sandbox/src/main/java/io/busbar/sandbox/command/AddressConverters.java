package io.busbar.sandbox.command;

import io.busbar.sandbox.SandboxOptions;
import java.util.function.Function;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Read addresses as {@link SandboxOptions} takes them. Immutable. */
final class AddressConverters {

    private AddressConverters() {}

    /** One to listen on. */
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

    private static String taken(String value, Function<String, SandboxOptions> by) {
        try {
            SandboxOptions unused = by.apply(value);
            return value;
        } catch (IllegalArgumentException refused) {
            throw new TypeConversionException(refused.getMessage());
        }
    }
}

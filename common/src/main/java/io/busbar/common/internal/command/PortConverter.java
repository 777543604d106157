package io.busbar.common.internal.command;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a port from 0, which lets the system choose, to 65535. Immutable. */
public final class PortConverter implements ITypeConverter<Integer> {

    @Override
    public Integer convert(String value) {
        if (!isPort(value)) {
            throw new TypeConversionException("'" + value + "' is not allowed; allowed: a port from 0 to 65535");
        }
        return Integer.valueOf(value);
    }

    /** Whether it is one. */
    public static boolean isPort(String text) {
        return text.matches("\\d{1,5}") && Integer.parseInt(text) <= 65535;
    }
}

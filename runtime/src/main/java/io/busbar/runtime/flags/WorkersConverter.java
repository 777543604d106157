package io.busbar.runtime.flags;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a number of workers, from 1 to 1000. Immutable. */
final class WorkersConverter implements ITypeConverter<Integer> {

    @Override
    public Integer convert(String value) {
        if (!value.matches("[1-9]\\d{0,2}|1000")) {
            throw new TypeConversionException("'" + value + "' is not allowed; allowed: a number from 1 to 1000");
        }
        return Integer.valueOf(value);
    }
}

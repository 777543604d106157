package io.busbar.sandbox.command;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a number of nodes, from 0 to 1000. Immutable. */
final class NodesConverter implements ITypeConverter<Integer> {

    private static final int MOST = 1000;

    @Override
    public Integer convert(String value) {
        if (!value.matches("\\d{1,4}") || Integer.parseInt(value) > MOST) {
            throw new TypeConversionException("'" + value + "' is not allowed; allowed: a number from 0 to " + MOST);
        }
        return Integer.valueOf(value);
    }
}

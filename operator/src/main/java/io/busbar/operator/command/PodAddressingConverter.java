package io.busbar.operator.command;

import io.busbar.operator.runtime.PodAddressing;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads {@code DNS} or {@code PodIP}. Immutable. */
final class PodAddressingConverter implements ITypeConverter<PodAddressing> {

    @Override
    public PodAddressing convert(String value) {
        return switch (value) {
            case "DNS" -> PodAddressing.DNS;
            case "PodIP" -> PodAddressing.POD_IP;
            default -> throw new TypeConversionException("'" + value + "' is not allowed; allowed: DNS, PodIP");
        };
    }
}

package io.busbar.runtime.flags;

import io.busbar.common.internal.command.PortConverter;
import io.busbar.runtime.options.BindAddress;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Reads addresses as Go's flags have them: {@code :8080} for all interfaces, {@code 127.0.0.1:8080}, {@code 0} for no
 * server. Immutable.
 */
final class BindAddressConverter implements ITypeConverter<BindAddress> {

    @Override
    public BindAddress convert(String value) {
        if (value.equals("0")) {
            return BindAddress.off();
        }
        int colon = value.lastIndexOf(':');
        if (colon < 0 || !PortConverter.isPort(value.substring(colon + 1))) {
            throw new TypeConversionException("'" + value
                    + "' is not allowed; allowed: [HOST]:PORT with a port from 0 to 65535, or 0 for no server");
        }
        String host = value.substring(0, colon).replaceAll("^\\[|]$", "");
        return new BindAddress(host.isEmpty() ? "0.0.0.0" : host, Integer.parseInt(value.substring(colon + 1)), true);
    }
}

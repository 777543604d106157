package io.busbar.operator.command;

import io.busbar.operator.bundled.Bundled;
import java.util.Iterator;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** The name of a bundled operator. Any thread. */
final class BundledConverter implements ITypeConverter<Bundled> {

    @Override
    public Bundled convert(String value) {
        return Bundled.of(value)
                .orElseThrow(() -> new TypeConversionException(
                        "'" + value + "' is not allowed; allowed: " + String.join(", ", Bundled.ids())));
    }

    /** All names, for the help. */
    static final class Names implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return Bundled.ids().iterator();
        }
    }
}

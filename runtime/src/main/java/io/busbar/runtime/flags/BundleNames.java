package io.busbar.runtime.flags;

import java.util.Iterator;
import java.util.List;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Which bundles an operator has: all names, for the help, and what a flag may name. Immutable. */
public final class BundleNames implements ITypeConverter<String>, Iterable<String> {

    private final List<String> names;

    public BundleNames(List<String> names) {
        this.names = List.copyOf(names);
    }

    @Override
    public String convert(String value) {
        if (!names.contains(value)) {
            throw new TypeConversionException("'" + value + "' is not allowed; allowed: " + String.join(", ", names));
        }
        return value;
    }

    @Override
    public Iterator<String> iterator() {
        return names.iterator();
    }
}

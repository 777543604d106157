package io.busbar.sandbox.command;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a version of Kubernetes, with or without its v. Immutable. */
final class KubernetesVersionConverter implements ITypeConverter<String> {

    @Override
    public String convert(String value) {
        if (!value.matches("v?1\\.\\d{1,3}\\.\\d{1,3}([-+][\\w.+-]+)?")) {
            throw new TypeConversionException("'" + value + "' is not allowed; allowed: a version such as v1.36.2");
        }
        return value.startsWith("v") ? value : "v" + value;
    }
}

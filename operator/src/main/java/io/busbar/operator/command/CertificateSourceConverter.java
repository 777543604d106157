package io.busbar.operator.command;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads {@code mounted} or {@code self-signed}. Immutable. */
final class CertificateSourceConverter implements ITypeConverter<CertificateSource> {

    @Override
    public CertificateSource convert(String value) {
        return switch (value) {
            case "mounted" -> CertificateSource.MOUNTED;
            case "self-signed" -> CertificateSource.SELF_SIGNED;
            default ->
                throw new TypeConversionException("'" + value + "' is not allowed; allowed: mounted, self-signed");
        };
    }
}

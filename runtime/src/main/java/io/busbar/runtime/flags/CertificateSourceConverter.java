package io.busbar.runtime.flags;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads {@code mounted}, {@code self-signed} or {@code none}. Immutable. */
final class CertificateSourceConverter implements ITypeConverter<CertificateSource> {

    @Override
    public CertificateSource convert(String value) {
        return switch (value) {
            case "mounted" -> CertificateSource.MOUNTED;
            case "self-signed" -> CertificateSource.SELF_SIGNED;
            case "none" -> CertificateSource.NONE;
            default ->
                throw new TypeConversionException(
                        "'" + value + "' is not allowed; allowed: mounted, self-signed, none");
        };
    }
}

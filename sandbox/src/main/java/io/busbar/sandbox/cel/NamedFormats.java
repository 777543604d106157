package io.busbar.sandbox.cel;

import dev.cel.common.types.ListType;
import dev.cel.common.types.OpaqueType;
import dev.cel.common.types.OptionalType;
import dev.cel.common.types.SimpleType;
import io.busbar.sandbox.cel.Overloads.Kind;
import io.busbar.sandbox.schema.Formats;
import io.busbar.sandbox.syntax.Names;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** {@code format.dns1123Label()} and the like: {@code validate} gives the complaints about a text, or none. Any thread. */
final class NamedFormats {

    /** Tells what is wrong with a text. */
    private interface Format extends Function<String, List<String>> {}

    private static final Kind FORMAT = new Kind(OpaqueType.create("kubernetes.NamedFormat"), Format.class);

    private static final Map<String, Format> FORMATS = Map.ofEntries(
            Map.entry("dns1123Label", Names::dnsLabel),
            Map.entry("dns1123Subdomain", Names::dnsSubdomain),
            Map.entry("dns1035Label", Names::dns1035Label),
            Map.entry("qualifiedName", Names::qualifiedName),
            Map.entry("labelValue", Names::labelValue),
            Map.entry("dns1123LabelPrefix", text -> Names.dnsLabel(masked(text))),
            Map.entry("dns1123SubdomainPrefix", text -> Names.dnsSubdomain(masked(text))),
            Map.entry("dns1035LabelPrefix", text -> Names.dns1035Label(masked(text))),
            Map.entry("uri", text -> formatted("uri", text)),
            Map.entry("uuid", text -> formatted("uuid", text)),
            Map.entry("byte", text -> formatted("byte", text)),
            Map.entry("date", text -> formatted("date", text)),
            Map.entry("datetime", text -> formatted("date-time", text)));

    private NamedFormats() {}

    static void addTo(Overloads overloads) {
        FORMATS.forEach(
                (name, format) -> overloads.global("format." + name, FORMAT.type(), List.of(), arguments -> format));
        overloads.global(
                "format.named",
                OptionalType.create(FORMAT.type()),
                List.of(ParameterKinds.TEXT),
                arguments -> Optional.ofNullable(FORMATS.get((String) arguments[0])));
        overloads.member(
                "validate",
                OptionalType.create(ListType.create(SimpleType.STRING)),
                List.of(FORMAT, ParameterKinds.TEXT),
                arguments -> {
                    List<String> complaints = ((Format) arguments[0]).apply((String) arguments[1]);
                    return complaints.isEmpty() ? Optional.empty() : Optional.of(complaints);
                });
    }

    private static List<String> formatted(String format, String text) {
        return Formats.fits(format, text) ? List.of() : List.of("does not match the format " + format);
    }

    /** What is to be a prefix may end in a dash. */
    private static String masked(String text) {
        return text.endsWith("-") ? text.substring(0, text.length() - 1) + "a" : text;
    }
}

package io.busbar.sandbox.cel;

import dev.cel.common.types.OpaqueType;
import io.busbar.cel.KubernetesLibrary;
import io.busbar.sandbox.schema.Formats;
import io.busbar.sandbox.syntax.Names;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * {@code format.dns1123Label()} and the like: {@code validate} gives the complaints about a text, or none. Any thread.
 */
final class NamedFormats {

    /** Tells what is wrong with a text. */
    private interface Format extends Function<String, List<String>> {}

    private static final Map<String, Format> FORMATS = Map.ofEntries(
            Map.entry("dns1123Label", Names::dnsLabel),
            Map.entry("dns1123Subdomain", Names::dnsSubdomain),
            Map.entry("dns1035Label", Names::dns1035Label),
            Map.entry("qualifiedName", Names::qualifiedName),
            Map.entry("labelValue", Names::labelValue),
            Map.entry("dns1123LabelPrefix", text -> Names.dnsLabel(masked(text))),
            Map.entry("dns1123SubdomainPrefix", text -> Names.dnsSubdomain(masked(text))),
            Map.entry("dns1035LabelPrefix", text -> Names.dns1035Label(masked(text))),
            Map.entry("uri", text -> formatted("uri", text, "parse \"" + text + "\": invalid URI for request")),
            Map.entry("uuid", text -> formatted("uuid", text, "does not match the UUID format")),
            Map.entry("byte", text -> formatted("byte", text, "invalid base64")),
            Map.entry("date", text -> formatted("date", text, "invalid date")),
            Map.entry("datetime", text -> formatted("date-time", text, "invalid datetime")));

    private NamedFormats() {}

    static void addTo(KubernetesLibrary overloads) {
        overloads.type("Format", OpaqueType.create("kubernetes.NamedFormat"), Format.class);
        FORMATS.forEach((name, format) -> overloads.constant("Format format." + name + "()", format));
        overloads.global(
                "optional(Format) format.named(string)", (String name) -> Optional.ofNullable(FORMATS.get(name)));
        overloads.member("optional(list(string)) validate(Format, string)", (Format format, String text) -> {
            List<String> complaints = format.apply(text);
            return complaints.isEmpty() ? Optional.empty() : Optional.of(complaints);
        });
    }

    private static List<String> formatted(String format, String text, String complaint) {
        return Formats.fits(format, text) ? List.of() : List.of(complaint);
    }

    /** What is to be a prefix may end in a dash, or a dot and a dash, but not be one. */
    private static String masked(String text) {
        return text.length() > 1 && text.endsWith("-") ? text.substring(0, text.length() - 2) + "a" : text;
    }
}

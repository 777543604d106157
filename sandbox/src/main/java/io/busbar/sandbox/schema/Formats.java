package io.busbar.sandbox.schema;

import java.net.URI;
import java.net.URISyntaxException;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.util.Base64;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * The {@code format} of a string.
 *
 * <p>Not checked: isbn, creditcard, and what the API server does not know. Immutable.
 */
public final class Formats {

    private static final String BYTE = "(25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])";
    private static final Pattern IPV4 = Pattern.compile(BYTE + "(\\." + BYTE + "){3}");
    private static final Pattern IPV6 = Pattern.compile("[0-9a-fA-F:.]*:[0-9a-fA-F:.]*");
    private static final String HEX = "[0-9a-fA-F]";
    private static final String UUID = HEX + "{8}-?" + HEX + "{4}-?%s" + HEX + "{3}-?%s" + HEX + "{3}-?" + HEX + "{12}";
    private static final String SIGN = "[a-zA-Z0-9\\p{S}\\p{L}]";
    private static final String LABEL = SIGN + "(-*" + SIGN + "){0,62}";
    private static final String SHORT_NAME = "[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?";
    private static final String COLOUR = "\\s*(25[0-5]|2[0-4][0-9]|1[0-9]{0,2}|[1-9][0-9]?|0)\\s*";

    /** Those that a pattern can tell. */
    private static final Map<String, Pattern> PATTERNS = Map.ofEntries(
            pattern(
                    "duration",
                    "[-+]?(([0-9]+(\\.[0-9]*)?|\\.[0-9]+)\\s*(ns|us|µs|ms|s|m|h|d|w"
                            + "|sec(ond)?s?|min(ute)?s?|hours?|days?|weeks?)\\s*)+|0"),
            pattern("email", "[^@\\s<>]+@[^@\\s<>]+"),
            pattern(
                    "hostname",
                    "(?=.{1,255}$)((" + LABEL + "\\.)+(?!.$)|(?=...))(?!.{64})" + SIGN + "(-*" + SIGN + ")*"),
            pattern("ipv4", IPV4.pattern()),
            pattern("mac", HEX + "{2}([:-]" + HEX + "{2}){5}"),
            pattern("uuid", UUID.formatted(HEX, HEX)),
            pattern("uuid3", UUID.formatted("3", HEX)),
            pattern("uuid4", UUID.formatted("4", "[89abAB]")),
            pattern("uuid5", UUID.formatted("5", "[89abAB]")),
            pattern("bsonobjectid", HEX + "{24}"),
            pattern("ssn", "[0-9]{3}[- ]?[0-9]{2}[- ]?[0-9]{4}"),
            pattern("hexcolor", "#?(" + HEX + "{3}|" + HEX + "{6})"),
            pattern("rgbcolor", "rgb\\(" + COLOUR + "," + COLOUR + "," + COLOUR + "\\)"),
            pattern("k8s-short-name", SHORT_NAME),
            pattern("k8s-long-name", "(?=.{1,253}$)" + SHORT_NAME + "(\\." + SHORT_NAME + ")*"));

    private Formats() {}

    public static boolean fits(String format, String text) {
        return switch (format) {
            case "date" -> isDate(text);
            case "date-time", "datetime" -> isDateTime(text);
            case "uri" -> isUri(text);
            case "ipv6" -> isIpv6(text);
            case "cidr" -> isCidr(text);
            case "byte" -> isBase64(text);
            default ->
                !PATTERNS.containsKey(format)
                        || PATTERNS.get(format).matcher(text).matches();
        };
    }

    private static Map.Entry<String, Pattern> pattern(String format, String pattern) {
        return Map.entry(format, Pattern.compile(pattern));
    }

    private static boolean isDate(String text) {
        try {
            LocalDate.parse(text);
            return true;
        } catch (DateTimeException e) {
            return false;
        }
    }

    private static boolean isDateTime(String text) {
        try {
            OffsetDateTime.parse(text.toUpperCase(Locale.ROOT).replace(' ', 'T'));
            return true;
        } catch (DateTimeException e) {
            return false;
        }
    }

    private static boolean isUri(String text) {
        try {
            URI uri = new URI(text);
            return uri.isAbsolute() || text.startsWith("/");
        } catch (URISyntaxException e) {
            return false;
        }
    }

    /** Eight groups, or fewer around one gap. */
    private static boolean isIpv6(String text) {
        if (!IPV6.matcher(text).matches() || text.contains(":::")) {
            return false;
        }
        int gap = text.indexOf("::");
        if (gap != text.lastIndexOf("::")) {
            return false;
        }
        int groups = 0;
        for (String half :
                gap < 0 ? new String[] {text} : new String[] {text.substring(0, gap), text.substring(gap + 2)}) {
            for (String group : half.isEmpty() ? new String[0] : half.split(":", -1)) {
                boolean dotted = group.contains(".");
                if (dotted ? !IPV4.matcher(group).matches() : !group.matches("[0-9a-fA-F]{1,4}")) {
                    return false;
                }
                groups += dotted ? 2 : 1;
            }
        }
        return gap < 0 ? groups == 8 : groups < 8;
    }

    private static boolean isCidr(String text) {
        int slash = text.indexOf('/');
        if (slash < 0 || !text.substring(slash + 1).matches("[0-9]{1,3}")) {
            return false;
        }
        int bits = Integer.parseInt(text.substring(slash + 1));
        String address = text.substring(0, slash);
        return IPV4.matcher(address).matches() ? bits <= 32 : isIpv6(address) && bits <= 128;
    }

    private static boolean isBase64(String text) {
        try {
            Base64.getDecoder().decode(text);
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }
}

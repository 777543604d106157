package io.busbar.sandbox.schema;

import java.net.URI;
import java.net.URISyntaxException;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.util.Base64;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * The {@code format} of a string.
 *
 * <p>Checked: date, date-time, duration, uri, email, hostname, ipv4, ipv6, cidr, mac, uuid, byte. Others are not, as formats that the API
 * server does not know are not; it does know a few more (isbn, creditcard, ssn, colours). Immutable.
 */
public final class Formats {

    private static final Pattern DURATION = Pattern.compile(
            "[-+]?(([0-9]+(\\.[0-9]*)?|\\.[0-9]+)\\s*(ns|us|µs|ms|s|m|h|d|w|sec(ond)?s?|min(ute)?s?|hours?|days?|weeks?)\\s*)+|0");
    private static final Pattern EMAIL = Pattern.compile("[^@\\s<>]+@[^@\\s<>]+");
    private static final Pattern HOSTNAME = Pattern.compile(
            "[a-zA-Z0-9]([-a-zA-Z0-9]{0,61}[a-zA-Z0-9])?(\\.[a-zA-Z0-9]([-a-zA-Z0-9]{0,61}[a-zA-Z0-9])?)*");
    private static final String BYTE = "(25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])";
    private static final Pattern IPV4 = Pattern.compile(BYTE + "(\\." + BYTE + "){3}");
    private static final Pattern IPV6 = Pattern.compile("[0-9a-fA-F:.]*:[0-9a-fA-F:.]*");
    private static final Pattern MAC = Pattern.compile("[0-9a-fA-F]{2}([:-][0-9a-fA-F]{2}){5}");
    private static final Pattern UUID =
            Pattern.compile("[0-9a-fA-F]{8}-?[0-9a-fA-F]{4}-?[0-9a-fA-F]{4}-?[0-9a-fA-F]{4}-?[0-9a-fA-F]{12}");

    private Formats() {}

    public static boolean fits(String format, String text) {
        return switch (format) {
            case "date" -> isDate(text);
            case "date-time", "datetime" -> isDateTime(text);
            case "duration" -> DURATION.matcher(text).matches();
            case "uri" -> isUri(text);
            case "email" -> EMAIL.matcher(text).matches();
            case "hostname" -> text.length() <= 255 && HOSTNAME.matcher(text).matches();
            case "ipv4" -> IPV4.matcher(text).matches();
            case "ipv6" -> isIpv6(text);
            case "cidr" -> isCidr(text);
            case "mac" -> MAC.matcher(text).matches();
            case "uuid" -> UUID.matcher(text).matches();
            case "byte" -> isBase64(text);
            default -> true;
        };
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

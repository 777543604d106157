package io.busbar.sandbox.syntax;

import io.netty.util.NetUtil;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The syntax of names, labels and annotation keys, with what the API server says when a text breaks it.
 *
 * <p>Each method returns its complaints, in order; an empty list means the text is well formed. The rules and the words
 * are those of apimachinery's validation package in Kubernetes 1.36. Immutable. Any thread.
 */
public final class Names {

    private static final String LABEL = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
    private static final String SUBDOMAIN = LABEL + "(\\." + LABEL + ")*";
    private static final String SEARCH_LABEL = "_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?";

    private static final Pattern QUALIFIED = Pattern.compile("([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]");
    private static final Pattern LABEL_VALUE = Pattern.compile("(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?");
    private static final Pattern DNS_LABEL = Pattern.compile(LABEL);
    private static final Pattern DNS_SUBDOMAIN = Pattern.compile(SUBDOMAIN);
    private static final Pattern DNS_WILDCARD = Pattern.compile("\\*\\." + SUBDOMAIN);
    private static final Pattern SEARCH_DOMAIN = Pattern.compile(SEARCH_LABEL + "(\\." + SEARCH_LABEL + ")*");
    private static final Pattern DNS_1035 = Pattern.compile("[a-z]([-a-z0-9]*[a-z0-9])?");
    private static final Pattern PORT_CHARACTERS = Pattern.compile("[-a-z0-9]+");
    private static final Pattern LOWER_LETTER = Pattern.compile("[a-z]");
    private static final Pattern CONFIG_KEY = Pattern.compile("[-._a-zA-Z0-9]+");

    private static final String NO_QUALIFIED = regex(
            "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric"
                    + " character",
            QUALIFIED.pattern(),
            "MyName",
            "my.name",
            "123-abc");

    private Names() {}

    /** A label's or an annotation's key: an optional DNS prefix, a slash, and a name. */
    public static List<String> qualifiedName(String text) {
        String[] parts = text.split("/", -1);
        if (parts.length > 2) {
            return List.of("a valid label key "
                    + NO_QUALIFIED
                    + " with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')");
        }
        List<String> complaints = new ArrayList<>();
        if (parts.length == 2) {
            if (parts[0].isEmpty()) {
                complaints.add("prefix part must be non-empty");
            } else {
                dnsSubdomain(parts[0]).forEach(complaint -> complaints.add("prefix part " + complaint));
            }
        }
        String name = parts[parts.length - 1];
        if (name.isEmpty()) {
            complaints.add("name part must be non-empty");
        } else if (name.length() > 63) {
            complaints.add("name part must be no more than 63 bytes");
        }
        if (!QUALIFIED.matcher(name).matches()) {
            complaints.add("name part " + NO_QUALIFIED);
        }
        return complaints;
    }

    public static List<String> labelValue(String text) {
        String words = "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.',"
                + " and must start and end with an alphanumeric character";
        return check(text, 63, LABEL_VALUE, words, "MyValue", "my_value", "12345").stream()
                .map(complaint -> complaint.replace("63 characters", "63 bytes"))
                .toList();
    }

    public static List<String> dnsLabel(String text) {
        String words = "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must"
                + " start and end with an alphanumeric character";
        List<String> complaints = check(text, 63, DNS_LABEL, words, "my-name", "123-abc");
        boolean dots = DNS_SUBDOMAIN.matcher(text).matches();
        complaints.replaceAll(complaint -> dots && complaint.startsWith(words) ? "must not contain dots" : complaint);
        return complaints;
    }

    /** Any host below a domain. */
    public static List<String> wildcardSubdomain(String text) {
        String words = "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which"
                + " must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character";
        return check(text, 253, DNS_WILDCARD, words, "*.example.com");
    }

    public static List<String> dnsSubdomain(String text) {
        String words = "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.',"
                + " and must start and end with an alphanumeric character";
        return check(text, 253, DNS_SUBDOMAIN, words, "example.com");
    }

    /** A domain in which names are looked for: its labels may begin with an underscore. */
    public static List<String> searchDomain(String text) {
        String words = "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or"
                + " '.', and must start and end with an alphanumeric character";
        return check(text, 253, SEARCH_DOMAIN, words, "example.com");
    }

    /** The name of a kind: one complaint, with all that is wrong. */
    public static List<String> kind(String text) {
        List<String> complaints = dns1035Label(text.toLowerCase(Locale.ROOT));
        return complaints.isEmpty()
                ? complaints
                : List.of("may have mixed case, but should otherwise match: " + String.join(",", complaints));
    }

    /** The stricter label that a Service's name has to be. */
    public static List<String> dns1035Label(String text) {
        String words = "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an"
                + " alphabetic character, and end with an alphanumeric character";
        return check(text, 63, DNS_1035, words, "my-name", "abc-123");
    }

    /** The name of an environment variable. */
    public static List<String> environmentVariable(String text) {
        return text.chars().allMatch(c -> c >= ' ' && c < 0x7f && c != '=')
                ? List.of()
                : List.of(
                        "a valid environment variable name must consist only of printable ASCII characters other than '='");
    }

    /** The name of a port. */
    public static List<String> portName(String text) {
        List<String> complaints = new ArrayList<>();
        if (text.length() > 15) {
            complaints.add("must be no more than 15 characters");
        }
        if (!PORT_CHARACTERS.matcher(text).matches()) {
            complaints.add("must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)");
        }
        if (!LOWER_LETTER.matcher(text).find()) {
            complaints.add("must contain at least one letter (a-z)");
        }
        if (text.contains("--")) {
            complaints.add("must not contain consecutive hyphens");
        }
        if (text.startsWith("-") || text.endsWith("-")) {
            complaints.add("must not begin or end with a hyphen");
        }
        return complaints;
    }

    /** An address of either family. */
    public static List<String> ipAddress(String text) {
        return NetUtil.isValidIpV4Address(text) || NetUtil.isValidIpV6Address(text)
                ? List.of()
                : List.of("must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)");
    }

    /** A block of addresses of either family. */
    public static List<String> cidr(String text) {
        int slash = text.indexOf('/');
        String address = slash < 0 ? text : text.substring(0, slash);
        String bits = slash < 0 ? "" : text.substring(slash + 1);
        int most = address.contains(":") ? 128 : 32;
        boolean fits = bits.matches("\\d{1,3}")
                && Integer.parseInt(bits) <= most
                && ipAddress(address).isEmpty();
        return fits ? List.of() : List.of("must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)");
    }

    /** A share of something. */
    public static List<String> percentage(String text) {
        return text.matches("[0-9]+%")
                ? List.of()
                : List.of(regex(
                        "a valid percent string must be a numeric string followed by an ending '%'",
                        "[0-9]+%", "1%", "93%"));
    }

    /** A key of a ConfigMap or a Secret. */
    public static List<String> configKey(String text) {
        String words = "a valid config key must consist of alphanumeric characters, '-', '_' or '.'";
        List<String> complaints =
                new ArrayList<>(check(text, 253, CONFIG_KEY, words, "key.name", "KEY_NAME", "key-name"));
        if (text.equals(".") || text.equals("..")) {
            complaints.add("must not be '" + text + "'");
        } else if (text.startsWith("..")) {
            complaints.add("must not start with '..'");
        }
        return complaints;
    }

    /** A name that may stand in a URL path: of kinds such as roles, whose names may hold almost anything. */
    public static List<String> pathSegment(String text) {
        if (text.equals(".") || text.equals("..")) {
            return List.of("may not be '" + text + "'");
        }
        return Stream.of("/", "%")
                .filter(text::contains)
                .map(forbidden -> "may not contain '" + forbidden + "'")
                .toList();
    }

    private static List<String> check(String text, int longest, Pattern pattern, String words, String... examples) {
        List<String> complaints = new ArrayList<>();
        if (text.length() > longest) {
            complaints.add("must be no more than " + longest + " characters");
        }
        if (!pattern.matcher(text).matches()) {
            complaints.add(regex(words, pattern.pattern(), examples));
        }
        return complaints;
    }

    /** The two spaces before "or" are the API server's own. */
    private static String regex(String rule, String expression, String... examples) {
        StringBuilder text = new StringBuilder(rule).append(" (e.g. ");
        for (int i = 0; i < examples.length; i++) {
            text.append(i > 0 ? " or " : "").append('\'').append(examples[i]).append("', ");
        }
        return text.append("regex used for validation is '")
                .append(expression)
                .append("')")
                .toString();
    }
}

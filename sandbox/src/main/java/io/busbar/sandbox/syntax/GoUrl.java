package io.busbar.sandbox.syntax;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A URL as Go's package {@code net/url} reads it, which takes more than Java does, and refuses in words of its own.
 *
 * <p>Immutable.
 *
 * @param scheme in lower case; empty for none
 * @param user null for none
 * @param host with its port, if it has one
 * @param path as it was written
 */
public record GoUrl(String scheme, @Nullable String user, String host, String path, String query, String fragment) {

    private static final Pattern SCHEME = Pattern.compile("([A-Za-z][-+.A-Za-z0-9]*):(.*)", Pattern.DOTALL);
    private static final Pattern ESCAPE = Pattern.compile("%(?![0-9A-Fa-f]{2}).{0,2}", Pattern.DOTALL);
    private static final Pattern NO_HOST = Pattern.compile("[^-A-Za-z0-9_.~!$&'()*+,;=:\\[\\]<>\"%\\x80-\\x{10FFFF}]");
    private static final String IN_PATHS = "-_.~$&+,/:;=@!'()*%[]";

    /** @throws IllegalArgumentException in the words of Go */
    public static GoUrl parse(String text) {
        int hash = text.indexOf('#');
        String whole = hash < 0 ? text : text.substring(0, hash);
        try {
            return parts(whole, hash < 0 ? "" : escaped(text.substring(hash + 1)));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("parse " + GoText.quote(whole) + ": " + e.getMessage(), e);
        }
    }

    private static GoUrl parts(String text, String fragment) {
        if (text.chars().anyMatch(c -> c < ' ' || c == 0x7f)) {
            throw new IllegalArgumentException("net/url: invalid control character in URL");
        }
        if (text.startsWith(":")) {
            throw new IllegalArgumentException("missing protocol scheme");
        }
        Matcher schemed = SCHEME.matcher(text);
        boolean has = schemed.matches();
        String scheme = has ? schemed.group(1).toLowerCase(Locale.ROOT) : "";
        String rest = has ? schemed.group(2) : text;
        int mark = rest.indexOf('?');
        String query = mark < 0 ? "" : rest.substring(mark + 1);
        rest = mark < 0 ? rest : rest.substring(0, mark);
        if (!rest.startsWith("/") && has) {
            return new GoUrl(scheme, null, "", "", query, fragment);
        }
        if (!rest.startsWith("/") && rest.split("/", 2)[0].contains(":")) {
            throw new IllegalArgumentException("first path segment in URL cannot contain colon");
        }
        if (!rest.startsWith("//") || (rest.startsWith("///") && !has)) {
            return new GoUrl(scheme, null, "", escaped(rest), query, fragment);
        }
        int slash = rest.indexOf('/', 2);
        String authority = slash < 0 ? rest.substring(2) : rest.substring(2, slash);
        String path = slash < 0 ? "" : rest.substring(slash);
        int at = authority.lastIndexOf('@');
        String host = checkedHost(authority.substring(at + 1));
        String user = at < 0 ? null : escaped(authority.substring(0, at));
        return new GoUrl(scheme, user, host, escaped(path), query, fragment);
    }

    private static String checkedHost(String host) {
        int port = host.lastIndexOf(':');
        if (host.startsWith("[")) {
            int end = host.lastIndexOf(']');
            if (end < 0) {
                throw new IllegalArgumentException("missing ']' in host");
            }
            port = end + 1;
        }
        String after = port < 0 ? "" : host.substring(port);
        if (!after.matches("(:[0-9]*)?")) {
            throw new IllegalArgumentException("invalid port " + GoText.quote(after) + " after host");
        }
        Matcher odd = NO_HOST.matcher(escaped(host));
        if (odd.find()) {
            throw new IllegalArgumentException("invalid character " + GoText.quote(odd.group()) + " in host name");
        }
        return host;
    }

    private static String escaped(String text) {
        Matcher escape = ESCAPE.matcher(text);
        if (escape.find()) {
            throw new IllegalArgumentException("invalid URL escape " + GoText.quote(escape.group()));
        }
        return text;
    }

    /** The host without its port, and without the brackets of an address. */
    public String hostName() {
        String name = host.replaceFirst(":[0-9]*$", "");
        return name.startsWith("[") ? name.substring(1, name.length() - 1) : name;
    }

    /** 443 when none is said. */
    public int port() {
        String port = host.replaceFirst("^.*:(?=[0-9]*$)", "");
        return port.matches("[0-9]{1,9}") && port.length() < host.length() ? Integer.parseInt(port) : 443;
    }

    /** The path as it goes over the wire. */
    public String escapedPath() {
        StringBuilder escaped = new StringBuilder();
        for (byte each : path.getBytes(StandardCharsets.UTF_8)) {
            char c = (char) (each & 0xff);
            boolean plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
            if (plain || IN_PATHS.indexOf(c) >= 0) {
                escaped.append(c);
            } else {
                escaped.append(String.format(Locale.ROOT, "%%%02X", (int) c));
            }
        }
        return escaped.toString();
    }
}

package io.busbar.common.internal.certificate;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/** Tells IP addresses from names, and brings both into one spelling. Pure; any thread; looks nothing up. */
public final class IpAddresses {

    private static final Pattern IPV4 = Pattern.compile("\\d{1,3}(\\.\\d{1,3}){3}");

    private IpAddresses() {}

    /** An address that the name is, in IPv4 or IPv6 form. */
    public static Optional<InetAddress> parse(String name) {
        if (!IPV4.matcher(name).matches() && name.indexOf(':') < 0) {
            return Optional.empty();
        }
        try {
            return Optional.of(InetAddress.getByName(name));
        } catch (UnknownHostException e) {
            return Optional.empty();
        }
    }

    /** Names come back in lower case. */
    public static String canonical(String name) {
        return parse(name).map(InetAddress::getHostAddress).orElseGet(() -> name.toLowerCase(Locale.ROOT));
    }
}

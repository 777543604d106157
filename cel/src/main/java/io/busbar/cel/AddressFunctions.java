package io.busbar.cel;

import com.google.common.net.InetAddresses;
import dev.cel.common.types.OpaqueType;
import dev.cel.runtime.CelEvaluationException;
import java.net.InetAddress;

/** {@code ip}, {@code cidr}, and what can be asked of addresses and their ranges. Any thread. */
final class AddressFunctions {

    private static final String NOT_PARSED = "network address parse error during conversion from string: ";
    private static final String BROADCAST = "255.255.255.255";

    private AddressFunctions() {}

    static void addTo(KubernetesLibrary overloads) {
        overloads.type("IP", OpaqueType.create("net.IP"), InetAddress.class);
        overloads.type("CIDR", OpaqueType.create("net.CIDR"), Cidr.class);
        overloads.global("IP ip(string)", AddressFunctions::address);
        overloads.global(
                "bool isIP(string)", (String text) -> Cidr.address(text).isPresent());
        overloads.global(
                "bool ip.isCanonical(string)",
                (String text) -> InetAddresses.toAddrString(address(text)).equals(text));
        overloads.global("string string(IP)", (InetAddress ip) -> InetAddresses.toAddrString(ip));
        overloads.member("int family(IP)", (InetAddress ip) -> ip.getAddress().length == 4 ? 4L : 6L);
        overloads.member("bool isUnspecified(IP)", InetAddress::isAnyLocalAddress);
        overloads.member("bool isLoopback(IP)", InetAddress::isLoopbackAddress);
        overloads.member("bool isLinkLocalMulticast(IP)", InetAddress::isMCLinkLocal);
        overloads.member("bool isLinkLocalUnicast(IP)", InetAddress::isLinkLocalAddress);
        overloads.member(
                "bool isGlobalUnicast(IP)",
                (InetAddress ip) -> !ip.isAnyLocalAddress()
                        && !ip.isLoopbackAddress()
                        && !ip.isMulticastAddress()
                        && !ip.isLinkLocalAddress()
                        && !InetAddresses.toAddrString(ip).equals(BROADCAST));
        overloads.global("CIDR cidr(string)", AddressFunctions::cidr);
        overloads.global(
                "bool isCIDR(string)", (String text) -> Cidr.parse(text).isPresent());
        overloads.global("string string(CIDR)", Cidr::toString);
        overloads.member("IP ip(CIDR)", (Cidr range) -> range.address());
        overloads.member("CIDR masked(CIDR)", Cidr::masked);
        overloads.member("int prefixLength(CIDR)", (Cidr range) -> (long) range.prefix());
        overloads.member("bool containsIP(CIDR, IP)", (Cidr range, InetAddress ip) -> range.contains(ip));
        overloads.member("bool containsIP(CIDR, string)", (Cidr range, String text) -> range.contains(address(text)));
        overloads.member("bool containsCIDR(CIDR, CIDR)", (Cidr range, Cidr other) -> range.contains(other));
        overloads.member("bool containsCIDR(CIDR, string)", (Cidr range, String text) -> range.contains(cidr(text)));
    }

    /** Why a text is none is not told as Go's netip tells it, but for what Kubernetes itself refuses. */
    private static InetAddress address(String text) throws CelEvaluationException {
        int zone = text.indexOf('%');
        if (zone > 0
                && zone < text.length() - 1
                && Cidr.address(text.substring(0, zone)).isPresent()) {
            throw new CelEvaluationException("IP address \"" + text + "\" with zone value is not allowed");
        }
        if (Cidr.isMapped(text)) {
            throw new CelEvaluationException(mapped(text));
        }
        return Cidr.address(text)
                .orElseThrow(() -> new CelEvaluationException(
                        "IP Address \"" + text + "\" parse error during conversion from string: ParseAddr(\"" + text
                                + "\"): unable to parse IP"));
    }

    /** One half of the words is there twice, as it is on the API server. */
    private static Cidr cidr(String text) throws CelEvaluationException {
        int slash = text.lastIndexOf('/');
        if (slash > 0 && Cidr.isMapped(text.substring(0, slash))) {
            throw new CelEvaluationException(NOT_PARSED + mapped(text));
        }
        return Cidr.parse(text)
                .orElseThrow(() -> new CelEvaluationException(
                        NOT_PARSED + NOT_PARSED + "netip.ParsePrefix(\"" + text + "\"): " + flaw(text, slash)));
    }

    private static String flaw(String text, int slash) {
        if (slash < 0) {
            return "no '/'";
        }
        String address = text.substring(0, slash);
        if (Cidr.address(address).isEmpty()) {
            return "ParseAddr(\"" + address + "\"): unable to parse IP";
        }
        String bits = text.substring(slash + 1);
        return bits.matches("0|[1-9][0-9]*") ? "prefix length out of range" : "bad bits after slash: \"" + bits + "\"";
    }

    private static String mapped(String text) {
        return "IPv4-mapped IPv6 address \"" + text + "\" is not allowed";
    }
}

package io.busbar.sandbox.cel;

import dev.cel.common.types.OpaqueType;
import dev.cel.runtime.CelEvaluationException;
import io.busbar.cel.KubernetesLibrary;
import io.busbar.sandbox.syntax.Cidr;
import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.util.Optional;

/** {@code ip}, {@code cidr}, and what can be asked of addresses and their ranges. Any thread. */
final class AddressFunctions {

    private AddressFunctions() {}

    static void addTo(KubernetesLibrary overloads) {
        overloads.type("IP", OpaqueType.create("net.IP"), InetAddress.class);
        overloads.type("CIDR", OpaqueType.create("net.CIDR"), Cidr.class);
        overloads.global("IP ip(string)", AddressFunctions::address);
        overloads.global(
                "bool isIP(string)", (String text) -> Cidr.address(text).isPresent());
        overloads.global(
                "bool ip.isCanonical(string)",
                (String text) -> NetUtil.toAddressString(address(text)).equals(text));
        overloads.global("string string(IP)", (InetAddress ip) -> NetUtil.toAddressString(ip));
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
                        && !ip.isLinkLocalAddress());
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

    private static InetAddress address(String text) throws CelEvaluationException {
        return present(Cidr.address(text), "IP Address \"" + text + "\" parse error during conversion from string");
    }

    private static Cidr cidr(String text) throws CelEvaluationException {
        return present(Cidr.parse(text), "network address parse error during conversion from string: " + text);
    }

    private static <T> T present(Optional<T> value, String otherwise) throws CelEvaluationException {
        return value.orElseThrow(() -> new CelEvaluationException(otherwise));
    }
}

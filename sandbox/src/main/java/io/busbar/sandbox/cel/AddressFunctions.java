package io.busbar.sandbox.cel;

import dev.cel.common.types.OpaqueType;
import dev.cel.common.types.SimpleType;
import dev.cel.runtime.CelEvaluationException;
import io.busbar.sandbox.cel.Overloads.Kind;
import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** {@code ip}, {@code cidr}, and what can be asked of addresses and their ranges. Any thread. */
final class AddressFunctions {

    private static final Kind IP = new Kind(OpaqueType.create("net.IP"), InetAddress.class);
    private static final Kind CIDR = new Kind(OpaqueType.create("net.CIDR"), Cidr.class);

    private AddressFunctions() {}

    static void addTo(Overloads overloads) {
        overloads.global("ip", IP.type(), List.of(ParameterKinds.TEXT), arguments -> address((String) arguments[0]));
        overloads.global(
                "isIP",
                SimpleType.BOOL,
                List.of(ParameterKinds.TEXT),
                arguments -> Cidr.address((String) arguments[0]).isPresent());
        overloads.global(
                "ip.isCanonical",
                SimpleType.BOOL,
                List.of(ParameterKinds.TEXT),
                arguments ->
                        NetUtil.toAddressString(address((String) arguments[0])).equals(arguments[0]));
        overloads.global(
                "string",
                SimpleType.STRING,
                List.of(IP),
                arguments -> NetUtil.toAddressString((InetAddress) arguments[0]));
        overloads.member(
                "family",
                SimpleType.INT,
                List.of(IP),
                arguments -> ((InetAddress) arguments[0]).getAddress().length == 4 ? 4L : 6L);
        question(overloads, "isUnspecified", InetAddress::isAnyLocalAddress);
        question(overloads, "isLoopback", InetAddress::isLoopbackAddress);
        question(overloads, "isLinkLocalMulticast", InetAddress::isMCLinkLocal);
        question(overloads, "isLinkLocalUnicast", InetAddress::isLinkLocalAddress);
        question(
                overloads,
                "isGlobalUnicast",
                ip -> !ip.isAnyLocalAddress()
                        && !ip.isLoopbackAddress()
                        && !ip.isMulticastAddress()
                        && !ip.isLinkLocalAddress());
        overloads.global("cidr", CIDR.type(), List.of(ParameterKinds.TEXT), arguments -> cidr((String) arguments[0]));
        overloads.global(
                "isCIDR",
                SimpleType.BOOL,
                List.of(ParameterKinds.TEXT),
                arguments -> Cidr.parse((String) arguments[0]).isPresent());
        overloads.global("string", SimpleType.STRING, List.of(CIDR), arguments -> arguments[0].toString());
        overloads.member("ip", IP.type(), List.of(CIDR), arguments -> ((Cidr) arguments[0]).address());
        overloads.member("masked", CIDR.type(), List.of(CIDR), arguments -> ((Cidr) arguments[0]).masked());
        overloads.member(
                "prefixLength", SimpleType.INT, List.of(CIDR), arguments -> (long) ((Cidr) arguments[0]).prefix());
        overloads.member(
                "containsIP",
                SimpleType.BOOL,
                List.of(CIDR, IP),
                arguments -> ((Cidr) arguments[0]).contains((InetAddress) arguments[1]));
        overloads.member(
                "containsIP",
                SimpleType.BOOL,
                List.of(CIDR, ParameterKinds.TEXT),
                arguments -> ((Cidr) arguments[0]).contains(address((String) arguments[1])));
        overloads.member(
                "containsCIDR",
                SimpleType.BOOL,
                List.of(CIDR, CIDR),
                arguments -> ((Cidr) arguments[0]).contains((Cidr) arguments[1]));
        overloads.member(
                "containsCIDR",
                SimpleType.BOOL,
                List.of(CIDR, ParameterKinds.TEXT),
                arguments -> ((Cidr) arguments[0]).contains(cidr((String) arguments[1])));
    }

    private static void question(Overloads overloads, String name, Predicate<InetAddress> question) {
        overloads.member(name, SimpleType.BOOL, List.of(IP), arguments -> question.test((InetAddress) arguments[0]));
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

package io.busbar.sandbox;

import com.google.common.net.HostAndPort;
import com.google.common.net.InetAddresses;
import io.busbar.sandbox.syntax.Names;
import java.io.UncheckedIOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * Where a server listens, and by what names clients reach it.
 *
 * <p>Immutable.
 *
 * @param listening an address of this machine, or one that stands for all of them
 * @param reached by clients, the first of them by those that read the kubeconfig; with the port that they use, if that
 *     is another
 */
record ServingAddress(InetAddress listening, List<HostAndPort> reached) {

    /** Reserved for documentation, RFC 5737: no packet is sent there. */
    private static final String ELSEWHERE = "192.0.2.1";

    /**
     * Where nothing is advertised: the address itself, or, if it stands for all, that by which this machine reaches
     * others.
     */
    static ServingAddress of(SandboxOptions options) {
        InetAddress listening = InetAddresses.forString(options.bindAddress());
        List<HostAndPort> reached = options.advertiseAddresses().stream()
                .map(ServingAddress::parsed)
                .toList();
        return new ServingAddress(
                listening,
                reached.isEmpty()
                        ? List.of(HostAndPort.fromHost(
                                (listening.isAnyLocalAddress() ? own() : listening).getHostAddress()))
                        : reached);
    }

    /** @throws IllegalArgumentException with the value, and what is allowed */
    static String checkedAddress(String value) {
        if (!InetAddresses.isInetAddress(value)) {
            throw new IllegalArgumentException("'" + value
                    + "' is not allowed; allowed: an IP address of this machine, or 0.0.0.0 or :: for all of them");
        }
        return value;
    }

    /** @throws IllegalArgumentException with the value, and what is allowed */
    static String checkedHost(String value) {
        HostAndPort unused = parsed(value);
        return value;
    }

    private static HostAndPort parsed(String value) {
        IllegalArgumentException wrong = new IllegalArgumentException(
                "'" + value
                        + "' is not allowed; allowed: HOST or HOST:PORT, where HOST is a name or an IP address by which clients reach this machine");
        HostAndPort parsed;
        try {
            parsed = HostAndPort.fromString(value);
        } catch (IllegalArgumentException unreadable) {
            throw wrong;
        }
        boolean known = InetAddresses.isInetAddress(parsed.getHost())
                ? !InetAddresses.forString(parsed.getHost()).isAnyLocalAddress()
                : isName(parsed.getHost());
        if (!known || parsed.getPortOrDefault(1) == 0) {
            throw wrong;
        }
        return parsed;
    }

    /** Digits at the end are of an address that is none. */
    private static boolean isName(String host) {
        return Names.dnsSubdomain(host.toLowerCase(Locale.ROOT)).isEmpty() && !host.matches("(.*\\.)?\\d+");
    }

    /** That of the interface which leads to other machines; without one, that of the loopback. */
    private static InetAddress own() {
        try (DatagramSocket socket = new DatagramSocket()) {
            socket.connect(new InetSocketAddress(ELSEWHERE, 9));
            return socket.getLocalAddress();
        } catch (SocketException | UncheckedIOException alone) {
            return InetAddress.getLoopbackAddress();
        }
    }

    /** Whether other machines can reach it. */
    boolean isOpen() {
        return !listening.isLoopbackAddress();
    }

    /** What a certificate has to hold for: names and addresses. */
    List<String> hosts() {
        Stream<String> listened = listening.isAnyLocalAddress() ? Stream.of() : Stream.of(listening.getHostAddress());
        return Stream.concat(listened, reached.stream().map(HostAndPort::getHost))
                .distinct()
                .toList();
    }

    /** @param port where it listens */
    String url(boolean tls, int port) {
        return (tls ? "https://" : "http://") + reached.get(0).withDefaultPort(port);
    }
}

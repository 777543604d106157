package io.busbar.cel;

import com.google.common.net.InetAddresses;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Optional;

/**
 * A range of addresses.
 *
 * <p>Immutable.
 *
 * @param address as written, which need not be the first of the range
 */
public record Cidr(InetAddress address, int prefix) {

    /** Empty for a text that is none. */
    public static Optional<Cidr> parse(String text) {
        int slash = text.indexOf('/');
        if (slash < 0 || !text.substring(slash + 1).matches("0|[1-9][0-9]{0,2}")) {
            return Optional.empty();
        }
        int prefix = Integer.parseInt(text.substring(slash + 1));
        return address(text.substring(0, slash))
                .filter(address -> prefix <= bits(address))
                .map(address -> new Cidr(address, prefix));
    }

    /**
     * An IPv4 or IPv6 address; never a name. Neither a zone, nor an IPv4 address that is written as one of IPv6, nor an
     * octet with a leading zero is one.
     */
    public static Optional<InetAddress> address(String text) {
        return written(text).filter(address -> !isMapped(text, address));
    }

    /** Whether it is an IPv4 address that is written as one of IPv6. */
    static boolean isMapped(String text) {
        return written(text).filter(address -> isMapped(text, address)).isPresent();
    }

    private static boolean isMapped(String text, InetAddress address) {
        return bits(address) == Integer.SIZE && text.indexOf(':') >= 0;
    }

    /** Guava would also take digits that are not of ASCII, and zones. */
    private static Optional<InetAddress> written(String text) {
        return text.matches("[0-9a-fA-F:.]+") && InetAddresses.isInetAddress(text)
                ? Optional.of(InetAddresses.forString(text))
                : Optional.empty();
    }

    public boolean contains(InetAddress other) {
        return bits(other) == bits(address) && network(other).equals(network(address));
    }

    public boolean contains(Cidr other) {
        return other.prefix >= prefix && contains(other.address);
    }

    /** With the first address of the range. */
    public Cidr masked() {
        byte[] bytes = address.getAddress();
        for (int bit = prefix; bit < bytes.length * 8; bit++) {
            bytes[bit / 8] &= (byte) ~(0x80 >> (bit % 8));
        }
        return new Cidr(of(bytes), prefix);
    }

    @Override
    public String toString() {
        return InetAddresses.toAddrString(address) + "/" + prefix;
    }

    private BigInteger network(InetAddress of) {
        return new BigInteger(1, of.getAddress()).shiftRight(bits(of) - prefix);
    }

    private static int bits(InetAddress address) {
        return address.getAddress().length * 8;
    }

    private static InetAddress of(byte[] bytes) {
        try {
            return InetAddress.getByAddress(bytes);
        } catch (UnknownHostException e) {
            throw new IllegalStateException("an address of " + bytes.length + " bytes", e);
        }
    }
}

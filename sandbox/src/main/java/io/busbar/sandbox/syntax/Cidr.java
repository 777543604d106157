package io.busbar.sandbox.syntax;

import io.netty.util.NetUtil;
import java.math.BigInteger;
import java.net.InetAddress;
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

    /** An IPv4 or IPv6 address, without a zone; never a name. */
    public static Optional<InetAddress> address(String text) {
        boolean valid = NetUtil.isValidIpV4Address(text)
                || (NetUtil.isValidIpV6Address(text) && text.matches("[0-9a-fA-F:.]*"));
        return valid ? Optional.ofNullable(NetUtil.createInetAddressFromIpAddressString(text)) : Optional.empty();
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
        return NetUtil.toAddressString(address) + "/" + prefix;
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
        } catch (java.net.UnknownHostException e) {
            throw new IllegalStateException("an address of " + bytes.length + " bytes", e);
        }
    }
}

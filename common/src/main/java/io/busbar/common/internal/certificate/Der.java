package io.busbar.common.internal.certificate;

import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/**
 * The few forms of ASN.1 (X.690, distinguished encoding) that certificates and keys are made of.
 *
 * <p>Pure; any thread.
 */
final class Der {

    static final int INTEGER = 0x02;
    static final int BIT_STRING = 0x03;
    static final int OCTET_STRING = 0x04;
    static final int SEQUENCE = 0x30;

    private static final DateTimeFormatter TWO_DIGIT_YEAR =
            DateTimeFormatter.ofPattern("yyMMddHHmmss'Z'").withZone(ZoneOffset.UTC);
    private static final DateTimeFormatter FOUR_DIGIT_YEAR =
            DateTimeFormatter.ofPattern("yyyyMMddHHmmss'Z'").withZone(ZoneOffset.UTC);
    private static final Instant YEAR_2050 = Instant.parse("2050-01-01T00:00:00Z");

    private Der() {}

    static byte[] sequence(byte[]... parts) {
        return tagged(SEQUENCE, parts);
    }

    static byte[] integer(BigInteger value) {
        return tagged(INTEGER, value.toByteArray());
    }

    static byte[] integer(int value) {
        return integer(BigInteger.valueOf(value));
    }

    static byte[] yes() {
        return tagged(0x01, new byte[] {(byte) 0xff});
    }

    static byte[] nothing() {
        return tagged(0x05);
    }

    static byte[] octets(byte[] content) {
        return tagged(OCTET_STRING, content);
    }

    /**
     * @param unused how many bits at the end do not count
     */
    static byte[] bits(int unused, byte[] content) {
        return tagged(BIT_STRING, new byte[] {(byte) unused}, content);
    }

    /** An object identifier in dotted form. */
    static byte[] oid(String dotted) {
        String[] arcs = dotted.split("\\.", -1);
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        content.write(Integer.parseInt(arcs[0]) * 40 + Integer.parseInt(arcs[1]));
        for (int i = 2; i < arcs.length; i++) {
            int arc = Integer.parseInt(arcs[i]);
            int groups = Math.max(1, (38 - Integer.numberOfLeadingZeros(arc)) / 7);
            for (int group = groups - 1; group >= 0; group--) {
                content.write((arc >>> (7 * group) & 0x7f) | (group == 0 ? 0 : 0x80));
            }
        }
        return tagged(0x06, content.toByteArray());
    }

    /** Whole seconds; in the shorter form until 2049, as RFC 5280 (4.1.2.5) wants it. */
    static byte[] time(Instant time) {
        boolean shortForm = time.isBefore(YEAR_2050);
        String text = (shortForm ? TWO_DIGIT_YEAR : FOUR_DIGIT_YEAR).format(time);
        return tagged(shortForm ? 0x17 : 0x18, text.getBytes(StandardCharsets.US_ASCII));
    }

    static byte[] tagged(int tag, byte[]... parts) {
        int length = 0;
        for (byte[] part : parts) {
            length += part.length;
        }
        ByteArrayOutputStream result = new ByteArrayOutputStream(length + 6);
        result.write(tag);
        if (length >= 0x80) {
            byte[] size = BigInteger.valueOf(length).toByteArray();
            int zero = size[0] == 0 ? 1 : 0;
            result.write(0x80 | (size.length - zero));
            result.write(size, zero, size.length - zero);
        } else {
            result.write(length);
        }
        for (byte[] part : parts) {
            result.writeBytes(part);
        }
        return result.toByteArray();
    }
}

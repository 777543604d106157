package io.busbar.sandbox.wire;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Reads the fields of one message. One thread. */
final class WireReader {

    private static final int LONGEST_VARINT = 70;

    private final byte[] bytes;
    private int at;
    private int wireType;

    WireReader(byte[] bytes) {
        this.bytes = bytes;
    }

    /** The number of the next field, or 0 at the end. Its value must be read, or skipped, before the next. */
    int nextField() {
        if (at >= bytes.length) {
            return 0;
        }
        long tag = varint();
        wireType = (int) (tag & 7);
        int field = (int) (tag >>> 3);
        if (field == 0) {
            throw new WireException("illegal tag 0 (wire type " + wireType + ")");
        }
        return field;
    }

    long number() {
        return switch (wireType) {
            case 0 -> varint();
            case 1 -> fixed(8);
            case 5 -> fixed(4);
            default -> throw wrongType();
        };
    }

    double real() {
        if (wireType != 1) {
            throw wrongType();
        }
        return Double.longBitsToDouble(fixed(8));
    }

    byte[] bytes() {
        if (wireType != 2) {
            throw wrongType();
        }
        long length = varint();
        if (length < 0 || length > bytes.length - at) {
            throw new WireException("unexpected EOF");
        }
        int start = at;
        at += (int) length;
        return Arrays.copyOfRange(bytes, start, at);
    }

    String text() {
        return new String(bytes(), StandardCharsets.UTF_8);
    }

    void skip() {
        if (wireType == 2) {
            bytes();
        } else {
            number();
        }
    }

    private long varint() {
        long value = 0;
        for (int shift = 0; shift < LONGEST_VARINT; shift += 7) {
            if (at >= bytes.length) {
                throw new WireException("unexpected EOF");
            }
            byte next = bytes[at++];
            value |= (long) (next & 0x7f) << shift;
            if (next >= 0) {
                return value;
            }
        }
        throw new WireException("proto: integer overflow");
    }

    private long fixed(int size) {
        if (size > bytes.length - at) {
            throw new WireException("unexpected EOF");
        }
        long value = 0;
        for (int i = 0; i < size; i++) {
            value |= (bytes[at++] & 0xffL) << (8 * i);
        }
        return value;
    }

    private WireException wrongType() {
        return new WireException("proto: wrong wireType = " + wireType);
    }
}

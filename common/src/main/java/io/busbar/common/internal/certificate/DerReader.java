package io.busbar.common.internal.certificate;

import java.util.Arrays;

/**
 * Walks over encoded ASN.1, one element after the other. One thread.
 *
 * <p>All methods throw {@link IllegalArgumentException} where the bytes are not what was expected.
 */
final class DerReader {

    private final byte[] bytes;
    private int at;

    DerReader(byte[] bytes) {
        this.bytes = bytes;
    }

    /** The tag of the next element; negative at the end. */
    int tag() {
        return at < bytes.length ? bytes[at] & 0xff : -1;
    }

    /** The content of the next element, which must have this tag. */
    byte[] next(int tag) {
        if (tag() != tag) {
            throw new IllegalArgumentException("not the expected ASN.1 element: " + tag());
        }
        at++;
        int length = length();
        if (length > bytes.length - at) {
            throw new IllegalArgumentException("an ASN.1 element is cut off");
        }
        at += length;
        return Arrays.copyOfRange(bytes, at - length, at);
    }

    private int length() {
        int first = octet();
        if (first < 0x80) {
            return first;
        }
        int count = first & 0x7f;
        if (count == 0 || count > 3) {
            throw new IllegalArgumentException("an ASN.1 element has no usable length");
        }
        int length = 0;
        for (int i = 0; i < count; i++) {
            length = length << 8 | octet();
        }
        return length;
    }

    private int octet() {
        if (at >= bytes.length) {
            throw new IllegalArgumentException("an ASN.1 element is cut off");
        }
        return bytes[at++] & 0xff;
    }
}

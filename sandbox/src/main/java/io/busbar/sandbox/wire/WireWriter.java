package io.busbar.sandbox.wire;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** Writes the fields of one message in the wire form of protocol buffers. One thread. */
public final class WireWriter {

    private static final int VARINT = 0;
    private static final int FIXED64 = 1;
    private static final int LENGTH_DELIMITED = 2;

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    public WireWriter text(int field, String value) {
        return bytes(field, value.getBytes(StandardCharsets.UTF_8));
    }

    public WireWriter message(int field, WireWriter message) {
        return bytes(field, message.toBytes());
    }

    WireWriter number(int field, long value) {
        varint((long) field << 3 | VARINT);
        varint(value);
        return this;
    }

    WireWriter real(int field, double value) {
        varint((long) field << 3 | FIXED64);
        long bits = Double.doubleToLongBits(value);
        for (int shift = 0; shift < Long.SIZE; shift += Byte.SIZE) {
            bytes.write((int) (bits >>> shift));
        }
        return this;
    }

    WireWriter bytes(int field, byte[] value) {
        varint((long) field << 3 | LENGTH_DELIMITED);
        varint(value.length);
        bytes.writeBytes(value);
        return this;
    }

    public byte[] toBytes() {
        return bytes.toByteArray();
    }

    private void varint(long value) {
        long rest = value;
        while ((rest & ~0x7fL) != 0) {
            bytes.write((int) (rest & 0x7f) | 0x80);
            rest >>>= 7;
        }
        bytes.write((int) rest);
    }
}

package io.busbar.sandbox.openapi;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** Writes strings and messages in the wire form of protocol buffers. One thread. */
final class ProtobufWriter {

    private static final int LENGTH_DELIMITED = 2;

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    ProtobufWriter text(int field, String value) {
        return bytes(field, value.getBytes(StandardCharsets.UTF_8));
    }

    ProtobufWriter message(int field, ProtobufWriter message) {
        return bytes(field, message.toBytes());
    }

    byte[] toBytes() {
        return bytes.toByteArray();
    }

    private ProtobufWriter bytes(int field, byte[] value) {
        varint((field << 3) | LENGTH_DELIMITED);
        varint(value.length);
        bytes.writeBytes(value);
        return this;
    }

    private void varint(int value) {
        int rest = value;
        while ((rest & ~0x7f) != 0) {
            bytes.write((rest & 0x7f) | 0x80);
            rest >>>= 7;
        }
        bytes.write(rest);
    }
}

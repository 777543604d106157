package io.busbar.watcher.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.compression.DecompressionException;
import io.netty.handler.codec.compression.JdkZlibDecoder;
import io.netty.handler.codec.compression.ZlibWrapper;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Unpacks a response that comes as gzip, as it arrives, in any pieces.
 *
 * <p>For one thread at a time.
 */
public final class Gunzip {

    private static final int NO_LIMIT = 0;

    private final EmbeddedChannel channel = new EmbeddedChannel(new JdkZlibDecoder(ZlibWrapper.GZIP, NO_LIMIT));

    /**
     * @return what these bytes, and those before them, are the packed form of, and has not been returned yet
     * @throws UnreadableResponseException when they are not gzip
     */
    public List<ByteBuffer> unpack(List<ByteBuffer> packed) throws UnreadableResponseException {
        List<ByteBuffer> unpacked = new ArrayList<>();
        try {
            for (ByteBuffer buffer : packed) {
                channel.writeInbound(Unpooled.wrappedBuffer(buffer));
                take(unpacked);
            }
        } catch (DecompressionException e) {
            throw new UnreadableResponseException("not gzip: " + e.getMessage());
        }
        return unpacked;
    }

    private void take(List<ByteBuffer> unpacked) {
        for (ByteBuf part = channel.readInbound(); part != null; part = channel.readInbound()) {
            byte[] bytes = new byte[part.readableBytes()];
            part.readBytes(bytes);
            part.release();
            unpacked.add(ByteBuffer.wrap(bytes));
        }
    }
}

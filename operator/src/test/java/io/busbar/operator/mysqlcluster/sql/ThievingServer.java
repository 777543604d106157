package io.busbar.operator.mysqlcluster.sql;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;

/**
 * Lets anybody log in, answers the first statement by asking for a file, and keeps what it gets. It speaks as much of
 * MySQL's protocol as that takes, for one connection. Any thread.
 */
final class ThievingServer implements AutoCloseable {

    private static final byte[] OK = {0, 0, 0, 2, 0, 0, 0};

    private final ServerSocket listening;
    private final CompletableFuture<String> stolen;

    ThievingServer(Path file) throws IOException {
        listening = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        stolen = CompletableFuture.supplyAsync(() -> steal(file));
    }

    Endpoint endpoint() {
        return new Endpoint(listening.getInetAddress().getHostAddress(), listening.getLocalPort());
    }

    /** All that the client said after it was asked for the file, once it has hung up or sent all. */
    String stolen() {
        return stolen.join();
    }

    private String steal(Path file) {
        try (Socket client = listening.accept()) {
            OutputStream out = client.getOutputStream();
            DataInputStream in = new DataInputStream(client.getInputStream());
            write(out, 0, greeting());
            read(in);
            write(out, 2, OK);
            read(in);
            write(out, 1, ("\u00fb" + file).getBytes(ISO_8859_1));
            StringBuilder got = new StringBuilder();
            for (String packet = read(in); !packet.isEmpty(); packet = read(in)) {
                got.append(packet);
            }
            return got.toString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Of protocol 10, with {@code mysql_native_password}. */
    private static byte[] greeting() throws IOException {
        ByteArrayOutputStream greeting = new ByteArrayOutputStream();
        greeting.write("\n8.0.36\0\1\0\0\0salted12\0".getBytes(ISO_8859_1));
        greeting.write(new byte[] {(byte) 0xff, (byte) 0xf7, 45, 2, 0, (byte) 0xff, (byte) 0x81, 21});
        greeting.write(new byte[10]);
        greeting.write("salted123456\0mysql_native_password\0".getBytes(ISO_8859_1));
        return greeting.toByteArray();
    }

    private static void write(OutputStream out, int sequence, byte[] payload) throws IOException {
        out.write(new byte[] {(byte) payload.length, (byte) (payload.length >> 8), 0, (byte) sequence});
        out.write(payload);
        out.flush();
    }

    /** One packet's payload; nothing at the end. */
    private static String read(DataInputStream in) throws IOException {
        byte[] header = in.readNBytes(4);
        int length = header.length < 4 ? 0 : (header[0] & 0xff) | (header[1] & 0xff) << 8 | (header[2] & 0xff) << 16;
        return new String(in.readNBytes(length), UTF_8);
    }

    @Override
    public void close() throws IOException {
        listening.close();
    }
}

package io.busbar.sandbox.robustness;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** HTTP/1.1 by hand, so that nothing keeps a malformed request from being sent. For one thread. */
final class RawConnection implements AutoCloseable {

    private static final JsonMapper MAPPER = JsonMapper.builder().build();
    private static final int PATIENCE_MILLIS = 20_000;

    /** @param body null when it is no JSON, or that of a watch, which is not read */
    record Answer(int code, String text, @Nullable JsonNode body) {}

    private final URI server;
    private final String token;
    private @Nullable Socket socket;
    private @Nullable InputStream in;

    RawConnection(URI server, String token) {
        this.server = server;
        this.token = token;
    }

    /** Sends a request and reads its answer; fails when none comes in time. */
    Answer send(MutatedRequest request) throws IOException {
        if (socket == null) {
            socket = new Socket(server.getHost(), server.getPort());
            socket.setSoTimeout(PATIENCE_MILLIS);
            socket.setTcpNoDelay(true);
            in = new BufferedInputStream(socket.getInputStream());
        }
        socket.getOutputStream().write(request.bytes(token));
        return read(request.method().equals("HEAD"));
    }

    private Answer read(boolean withoutBody) throws IOException {
        String status = line();
        if (status.isEmpty()) {
            throw new IOException("the connection was closed in place of an answer");
        }
        long length = 0;
        boolean endless = false;
        boolean last = false;
        for (String line = line(); !line.isEmpty(); line = line()) {
            String header = line.toLowerCase(Locale.ROOT);
            if (header.startsWith("content-length:")) {
                length = Long.parseLong(header.substring(15).trim());
            }
            endless |= header.startsWith("transfer-encoding:");
            last |= header.startsWith("connection: close");
        }
        byte[] body = withoutBody || endless ? new byte[0] : read(length);
        if (endless || last) {
            close();
        }
        String text = new String(body, StandardCharsets.UTF_8);
        return new Answer(
                Integer.parseInt(status.split(" ", -1)[1]), text, text.startsWith("{") ? MAPPER.readTree(text) : null);
    }

    private byte[] read(long length) throws IOException {
        return input().readNBytes((int) length);
    }

    private String line() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int next = input().read(); next >= 0 && next != '\n'; next = input().read()) {
            if (next != '\r') {
                line.write(next);
            }
        }
        return line.toString(StandardCharsets.ISO_8859_1);
    }

    private InputStream input() throws IOException {
        if (in == null) {
            throw new IOException("not connected");
        }
        return in;
    }

    @Override
    public void close() throws IOException {
        if (socket != null) {
            socket.close();
        }
        socket = null;
        in = null;
    }
}

package io.busbar.sandbox.robustness;

import io.vertx.core.buffer.Buffer;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * What is sent, as bytes that need not be well-formed.
 *
 * @param target path and query
 * @param headers whole lines
 */
record MutatedRequest(String method, String target, List<String> headers, Buffer body) {

    /** @param token of who sends it */
    byte[] bytes(String token) {
        StringBuilder head = new StringBuilder(
                method + " " + target + " HTTP/1.1\r\nHost: sandbox\r\nAuthorization: Bearer " + token + "\r\n");
        headers.forEach(header -> head.append(header).append("\r\n"));
        head.append("Content-Length: ").append(body.length()).append("\r\n\r\n");
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.writeBytes(head.toString().getBytes(StandardCharsets.ISO_8859_1));
        bytes.writeBytes(body.getBytes());
        return bytes.toByteArray();
    }

    @Override
    public String toString() {
        String text = body.toString();
        return method + " " + target + " " + headers + " "
                + (text.length() > 2000 ? text.substring(0, 2000) + " ..." : text);
    }
}

package io.busbar.watcher.reflect;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.busbar.common.api.ApiFailure;
import io.busbar.common.guard.Thrown;
import io.busbar.watcher.wire.UnreadableResponseException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.ConnectException;
import java.net.http.HttpTimeoutException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletionException;
import javax.net.ssl.SSLException;

/**
 * What a server says when it refuses, a Status as a rule, and what went wrong when it says nothing. For one thread at a
 * time.
 */
final class ErrorBody {

    private static final int MAX_BYTES = 65_536;
    private static final int MAX_TEXT = 200;
    private static final JsonFactory JSON = new JsonFactory();

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    void add(ByteBuffer buffer) {
        byte[] chunk = new byte[Math.min(buffer.remaining(), MAX_BYTES - bytes.size())];
        buffer.get(chunk);
        bytes.writeBytes(chunk);
    }

    /** The message of the Status, or the beginning of whatever it is instead. */
    String message() {
        try (JsonParser parser = JSON.createParser(bytes.toByteArray())) {
            int depth = 0;
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                depth += token.isStructStart() ? 1 : token.isStructEnd() ? -1 : 0;
                if (depth == 1 && token == JsonToken.VALUE_STRING && "message".equals(parser.currentName())) {
                    return parser.getText();
                }
            }
        } catch (IOException e) {
            // Not JSON: a proxy's page, say.
        }
        String text = bytes.toString(StandardCharsets.UTF_8).strip();
        return text.length() <= MAX_TEXT ? text : text.substring(0, MAX_TEXT);
    }

    /** A response that broke off, or that makes no sense: then only a new list helps. */
    static ApiFailure failure(Throwable failure) {
        Throwable cause = cause(failure);
        try {
            return cause instanceof UnreadableResponseException
                    ? new ApiFailure.Gone(0, "unreadable response: " + cause.getMessage())
                    : ApiFailure.noAnswer(cause);
        } catch (RuntimeException unreadable) { // an exception that cannot say what it is about
            return new ApiFailure.Unavailable(0, Thrown.text(cause));
        }
    }

    /**
     * Whether a connection that was there has been lost, rather than that none could be made, or that it took too long.
     */
    static boolean isCut(Throwable failure) {
        Throwable cause = cause(failure);
        return cause instanceof IOException
                && !(cause instanceof ConnectException
                        || cause instanceof HttpTimeoutException
                        || cause instanceof SSLException);
    }

    private static Throwable cause(Throwable failure) {
        Throwable cause = failure;
        while (cause instanceof CompletionException && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause;
    }
}

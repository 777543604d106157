package io.busbar.reconciler.leader;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.async.ByteBufferFeeder;
import io.fabric8.kubernetes.client.http.AsyncBody;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads {@code metadata.resourceVersion} out of an answer while somebody else reads all of it, and no further than
 * that.
 *
 * <p>One thread at a time.
 */
final class AnsweredVersion implements AsyncBody.Consumer<List<ByteBuffer>> {

    private static final Logger log = LoggerFactory.getLogger(AnsweredVersion.class);
    private static final JsonFactory JSON = new JsonFactory();

    private final AsyncBody.Consumer<List<ByteBuffer>> reader;
    private final Consumer<String> version;
    /** Null once nothing more is to be read. */
    private @Nullable JsonParser parser;

    private int depth;
    private boolean inMetadata;
    private String field = "";

    /**
     * @param version is told of it, at once; never where the answer is no object that is stored
     */
    AnsweredVersion(AsyncBody.Consumer<List<ByteBuffer>> reader, Consumer<String> version) {
        this.reader = reader;
        this.version = version;
        try {
            parser = JSON.createNonBlockingByteBufferParser();
        } catch (IOException unreachable) {
            throw new UncheckedIOException(unreachable);
        }
    }

    @Override
    public void consume(List<ByteBuffer> parts, AsyncBody body) throws Exception {
        try {
            for (ByteBuffer part : parts) {
                read(part.duplicate());
            }
        } catch (IOException noJson) {
            log.atDebug().addKeyValue("reason", noJson.getMessage()).log("an answer to a write has no version");
            parser = null;
        }
        reader.consume(parts, body);
    }

    private void read(ByteBuffer part) throws IOException {
        JsonParser open = parser;
        if (open == null) {
            return;
        }
        ((ByteBufferFeeder) open.getNonBlockingInputFeeder()).feedInput(part);
        JsonToken next = open.nextToken();
        while (next != null && next != JsonToken.NOT_AVAILABLE) {
            take(open, next);
            next = parser == null ? null : open.nextToken();
        }
    }

    private void take(JsonParser at, JsonToken token) throws IOException {
        switch (token) {
            case START_OBJECT, START_ARRAY -> {
                depth++;
                inMetadata = inMetadata || (depth == 2 && field.equals("metadata") && token == JsonToken.START_OBJECT);
            }
            case END_OBJECT, END_ARRAY -> {
                depth--;
                if (inMetadata && depth == 1) {
                    parser = null;
                }
            }
            case FIELD_NAME -> field = at.currentName();
            case VALUE_STRING -> {
                if (inMetadata && depth == 2 && field.equals("resourceVersion")) {
                    parser = null;
                    version.accept(at.getText());
                }
            }
            default -> {
                // of no interest
            }
        }
    }

    @Override
    public <U> U unwrap(Class<U> target) {
        U own = AsyncBody.Consumer.super.unwrap(target);
        return own == null ? reader.unwrap(target) : own;
    }
}

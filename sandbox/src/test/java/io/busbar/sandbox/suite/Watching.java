package io.busbar.sandbox.suite;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** An open watch: its events, one by one. */
final class Watching implements AutoCloseable {

    private static final String END = "";

    private final HttpResponse<InputStream> response;
    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();

    Watching(HttpResponse<InputStream> response) {
        this.response = response;
        Thread reader = new Thread(this::read, "watch");
        reader.setDaemon(true);
        reader.start();
    }

    int code() {
        return response.statusCode();
    }

    /** The next event, bookmarks left out. */
    JsonNode next() {
        while (true) {
            JsonNode event = any();
            if (!event.path("type").asText().equals("BOOKMARK")) {
                return event;
            }
        }
    }

    /** The next event of any type; an empty text node at the end of the stream. */
    JsonNode any() {
        try {
            String line = lines.poll(100, TimeUnit.SECONDS);
            if (line == null) {
                throw new AssertionError("no event came");
            }
            return Api.json(line.getBytes(StandardCharsets.UTF_8));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** {@code TYPE name} of the next event. */
    String summary() {
        JsonNode event = next();
        return event.isTextual()
                ? "END"
                : event.path("type").asText() + " "
                        + event.at("/object/metadata/name").asText();
    }

    private void read() {
        try (BufferedReader reader =
                new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8))) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                lines.add(line);
            }
        } catch (IOException closed) {
            // The end, as far as a reader can tell.
        }
        lines.add(END);
    }

    @Override
    public void close() {
        try {
            response.body().close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

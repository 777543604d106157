package io.busbar.operator.mysqlcluster.s3;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * What joins this program with the script {@code pipe.sh} in another container of its Pod: a folder with named pipes.
 * The bytes of a dump go through {@code data}, binary logs that follow on it through {@code logs}; {@code words} tells
 * the script how far this one is. When a process ends, however it does, the other one sees the end of a pipe.
 *
 * <p>One thread; blocks.
 */
final class Pipe implements AutoCloseable {

    private static final Duration LOOK = Duration.ofMillis(50);

    private final Path folder;
    private final OutputStream words;

    private Pipe(Path folder, OutputStream words) {
        this.folder = folder;
        this.words = words;
    }

    /**
     * Waits for the script, which makes the pipes.
     *
     * @throws S3Failure when it does not come up in time
     */
    static Pipe met(Path folder, Duration patience) throws IOException, InterruptedException {
        Path words = folder.resolve("words");
        for (Duration waited = Duration.ZERO; !Files.exists(words); waited = waited.plus(LOOK)) {
            if (waited.compareTo(patience) > 0) {
                throw new S3Failure("the container of the database's image has not come up in " + patience.toMinutes()
                        + " minutes");
            }
            TimeUnit.MILLISECONDS.sleep(LOOK.toMillis());
        }
        return new Pipe(folder, Files.newOutputStream(words));
    }

    /** Of what the script writes. It does not begin before {@link #ready}. */
    InputStream input() throws IOException {
        return Files.newInputStream(folder.resolve("data"));
    }

    /** To what the script reads. */
    OutputStream output() throws IOException {
        return Files.newOutputStream(folder.resolve("data"));
    }

    /** To what the script reads after that, where it is to go on with binary logs. */
    OutputStream logs() throws IOException {
        return Files.newOutputStream(folder.resolve("logs"));
    }

    /** Tells the script that this program runs. */
    void here() throws IOException {
        say("here");
    }

    /** Tells the script that it may begin. */
    void ready() throws IOException {
        say("ready");
    }

    /**
     * Leaves a line for the script.
     *
     * @param about {@code failed}: why its bytes have an end too early; {@code position}: where a server stands that was
     *     given all
     */
    void tell(String about, String line) throws IOException {
        Files.writeString(folder.resolve(about), line + "\n");
    }

    /** Tells the script one more word. */
    void say(String word) throws IOException {
        words.write((word + "\n").getBytes(StandardCharsets.UTF_8));
        words.flush();
    }

    /** What the script says of a dump that is whole; empty where it broke off. To be asked at the end of its bytes. */
    Optional<JsonNode> outcome() throws IOException {
        try {
            return Optional.of(
                    new ObjectMapper().readTree(folder.resolve("outcome").toFile()));
        } catch (FileNotFoundException brokenOff) {
            return Optional.empty();
        }
    }

    @Override
    public void close() throws IOException {
        words.close();
    }
}

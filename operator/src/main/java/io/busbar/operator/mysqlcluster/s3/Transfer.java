package io.busbar.operator.mysqlcluster.s3;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.busbar.operator.mysqlcluster.sql.Position;
import io.busbar.operator.mysqlcluster.sql.ServerState.Flavor;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One run of the Job that archives binary logs: hears from the script {@code archive.sh} what closed files the primary
 * has, and has it send those that the archive lacks.
 *
 * <p>The script writes lines of JSON: one of the server; then one for each file, the one that is being written first
 * and the oldest last, of where it begins, and after each it waits for a word, whether to go on; then, for each file
 * that is asked for by its name, one of its size, and its bytes. Those of MySQL are fetched here.
 *
 * <p>One thread; blocks. Throws {@link S3Failure}, and {@link IOException} when the script has broken off.
 */
final class Transfer {

    private static final ObjectMapper JSON = new ObjectMapper();

    /** A termination message has 4096 bytes for all. */
    private static final int MOST_CHARACTERS = 3500;

    private static final int LONGEST_LINE = 1 << 20;

    private final Pipe pipe;
    private final InputStream said;
    private final ServerLogs primary;
    private final LogArchive archive;
    private final int partBytes;

    /** @param primary where it is one of MySQL */
    Transfer(Pipe pipe, InputStream said, ServerLogs primary, LogArchive archive, int partBytes) {
        this.pipe = pipe;
        this.said = said;
        this.primary = primary;
        this.archive = archive;
        this.partBytes = partBytes;
    }

    /** A closed file. Immutable. */
    private record LogFile(String name, Position start, Position end) {}

    /**
     * What is in the way of going on from where the archive ends. Immutable.
     *
     * @param reason Gap or Fork
     * @param position what the server has instead
     */
    private record Break(String reason, Position position) {}

    /**
     * Brings the archive up to what the primary has executed now.
     *
     * @param known the number of a segment that was there once; 0 for none
     * @return what to report
     */
    Map<String, String> run(long known) throws IOException {
        Optional<Segment> last = archive.last(known);
        pipe.ready();
        JsonNode server = line();
        Flavor flavor = server.path("serverVersion").asText().contains("MariaDB") ? Flavor.MARIADB : Flavor.MYSQL;
        Optional<Position> archived = last.map(segment -> Position.of(flavor, segment.end()));
        List<LogFile> files = files(flavor, server.path("purged").asText(), archived);
        Position executed = Position.of(flavor, server.path("executed").asText());
        Optional<Break> broken = archived.flatMap(end -> broken(end, executed, files));
        Segment before = last.orElse(null);
        boolean continues = before != null && broken.isEmpty();
        int sent = 0;
        for (LogFile file : files) {
            if (before != null && continues && Position.of(flavor, before.end()).contains(file.end())) {
                continue;
            }
            before = put(server, file, flavor, before, continues);
            continues = true;
            sent++;
        }
        pipe.say("done");
        return report(before, sent, broken, archived);
    }

    /** Those from the last on that begins within what is archived, in order; all where none does. */
    private List<LogFile> files(Flavor flavor, String purged, Optional<Position> archived) throws IOException {
        List<LogFile> files = new ArrayList<>();
        Position end = start(flavor, line(), purged);
        pipe.say("earlier");
        JsonNode next = line();
        while (!next.path("file").asText().isEmpty()) {
            LogFile file = new LogFile(next.path("file").asText(), start(flavor, next, purged), end);
            files.add(0, file);
            if (archived.filter(position -> position.contains(file.start())).isPresent()) {
                pipe.say("enough");
                return files;
            }
            pipe.say("earlier");
            end = file.start();
            next = line();
        }
        return files;
    }

    /**
     * What a server had when a file began, with what is in none of its files: the first file of one of MySQL that was
     * given a copy does not tell of that.
     */
    private static Position start(Flavor flavor, JsonNode file, String purged) {
        return Position.of(flavor, file.path("start").asText() + "," + purged);
    }

    private static Optional<Break> broken(Position archived, Position executed, List<LogFile> files) {
        if (!executed.contains(archived)) {
            return Optional.of(new Break("Fork", executed));
        }
        Position first = files.isEmpty() ? executed : files.get(0).start();
        return archived.contains(first) ? Optional.empty() : Optional.of(new Break("Gap", first));
    }

    private Segment put(JsonNode server, LogFile log, Flavor flavor, @Nullable Segment before, boolean continues)
            throws IOException {
        long number = before == null ? 1 : before.number() + 1;
        try (InputStream file = flavor == Flavor.MYSQL ? primary.open(log.name()) : sent(log.name())) {
            BinaryLog binaryLog = new BinaryLog(file);
            return archive.put(
                    number,
                    binaryLog.gzipped(),
                    partBytes,
                    (sizeBytes, sha256) -> new Segment(
                            number,
                            log.start().text(),
                            log.end().text(),
                            text(binaryLog.first()),
                            text(binaryLog.last()),
                            server.path("server").asText(),
                            log.name(),
                            sizeBytes,
                            sha256,
                            server.path("serverVersion").asText(),
                            continues,
                            continues && before != null ? before.since() : number));
        }
    }

    /** By the script, which has the program of MariaDB for it. */
    private InputStream sent(String file) throws IOException {
        pipe.say(file);
        return new Part(said, line().path("sizeBytes").asLong());
    }

    private static @Nullable String text(@Nullable Instant time) {
        return time == null ? null : time.toString();
    }

    private Map<String, String> report(
            @Nullable Segment last, int sent, Optional<Break> broken, Optional<Position> archived) {
        Map<String, String> report = new LinkedHashMap<>();
        report.put("segments", String.valueOf(sent));
        if (last != null) {
            // The first ones go with the backups that they followed on.
            Segment first = last.number() == last.since() ? last : archive.first(last.since());
            report.put("position", last.end());
            report.put("lastSegment", String.valueOf(last.number()));
            report.put("since", String.valueOf(last.since()));
            report.put("sinceTime", Objects.requireNonNullElse(first.firstEventTime(), ""));
            report.put("sincePosition", first.start());
            report.put("lastEventTime", Objects.requireNonNullElse(last.lastEventTime(), ""));
        }
        broken.ifPresent(it -> {
            report.put("broken", it.reason());
            report.put("message", what(it, archived.map(Position::text).orElse("")));
        });
        int length = report.values().stream().mapToInt(String::length).sum();
        if (length > MOST_CHARACTERS) {
            throw new S3Failure("the archive is up to date, but its positions have " + length
                    + " characters, and a Job can tell " + MOST_CHARACTERS);
        }
        return report;
    }

    private static String what(Break broken, String archived) {
        return broken.reason().equals("Fork")
                ? "the archive ends at '" + archived + "', and the primary has executed '"
                        + broken.position().text() + "' without all of that: a failover has lost writes"
                : "the archive ends at '" + archived + "', and the binary logs of the primary begin at '"
                        + broken.position().text() + "': those between are gone";
    }

    private JsonNode line() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        int next = said.read();
        while (next != '\n') {
            if (next < 0 || line.size() == LONGEST_LINE) {
                throw new EOFException("the script has broken off");
            }
            line.write(next);
            next = said.read();
        }
        try {
            return JSON.readTree(line.toString(StandardCharsets.UTF_8));
        } catch (JsonProcessingException notJson) {
            throw new IOException("the script has said what is no JSON", notJson);
        }
    }
}

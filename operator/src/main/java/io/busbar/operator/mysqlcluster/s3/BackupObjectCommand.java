package io.busbar.operator.mysqlcluster.s3;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.busbar.operator.mysqlcluster.sql.ServerState.Flavor;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code busbar backup-object}: what the Jobs of backups in S3 do. Each ends with 0, or with 1 and a report that says
 * why; with 1 and no report when the reason is the other container's to tell.
 *
 * <p>For the main thread; blocks.
 */
@Command(
        name = "backup-object",
        hidden = true,
        sortOptions = false,
        mixinStandardHelpOptions = true,
        description = "Writes, reads and removes backups of MySQLClusters in S3. For the Jobs that the operator makes.")
public final class BackupObjectCommand {

    private static final Logger log = LoggerFactory.getLogger(BackupObjectCommand.class);

    private static final ObjectMapper JSON = new ObjectMapper();

    /** As long as pulling an image may take. */
    private static final Duration PATIENCE = Duration.ofMinutes(10);

    /** The last of them up to half a minute after the first, or longer where the server asks to slow down. */
    private static final int ATTEMPTS = 9;

    private final Map<String, String> variables;
    private final int attempts;
    private final int partBytes;

    @Option(names = "--endpoint", paramLabel = "URL", description = "The server. Default: that of AWS in the region.")
    private @Nullable URI endpoint;

    @Option(names = "--region", required = true, paramLabel = "NAME", description = "The region.")
    private String region = "";

    @Option(names = "--bucket", required = true, paramLabel = "NAME", description = "The bucket.")
    private String bucket = "";

    @Option(names = "--path-style", description = "The bucket's name stands in the path.")
    private boolean pathStyle;

    @Option(names = "--encryption", paramLabel = "NAME", description = "How the server encrypts: AES256 or aws:kms.")
    private @Nullable String encryption;

    @Option(names = "--own-ca", description = "The server is vouched for by the authorities in the variable S3_CA.")
    private boolean ownCa;

    @Option(names = "--key", required = true, paramLabel = "KEY", description = "The object.")
    private String key = "";

    @Option(names = "--sha256", paramLabel = "DIGITS", description = "What the object's SHA-256 must be.")
    private String sha256 = "";

    @Option(
            names = "--point-in-time",
            paramLabel = "TIME",
            description = "All that was committed up to then follows on the object, from the binary logs beside it.")
    private @Nullable String pointInTime;

    @Option(
            names = "--gtid",
            paramLabel = "GTIDS",
            description = "These follow on the object, from the binary logs beside it.")
    private @Nullable String gtid;

    @Option(
            names = "--after",
            paramLabel = "NUMBER",
            description = "A binary log that was in the archive once. Default: none.")
    private long after;

    @Option(
            names = "--pipe",
            paramLabel = "FOLDER",
            defaultValue = "/pipe",
            description = "Where the pipes to the other container are. Default: ${DEFAULT-VALUE}.")
    private Path pipe = Path.of("");

    @Option(
            names = "--report",
            paramLabel = "FILE",
            defaultValue = "/dev/termination-log",
            description = "What the operator reads. Default: ${DEFAULT-VALUE}.")
    private Path report = Path.of("");

    /** @param variables of the environment, in which the credentials are */
    public BackupObjectCommand(Map<String, String> variables) {
        this(variables, ATTEMPTS, Upload.PART_BYTES);
    }

    BackupObjectCommand(Map<String, String> variables, int attempts, int partBytes) {
        this.variables = variables;
        this.attempts = attempts;
        this.partBytes = partBytes;
    }

    private interface Work {

        /** What to report; empty when the work broke off for a reason that the other container tells. */
        Optional<Map<String, String>> done() throws IOException, InterruptedException;
    }

    @Command(name = "put", description = "Writes what comes through the pipe.")
    int put() throws IOException {
        return reporting(() -> {
            // Before all else: the other container waits for this one.
            try (Pipe met = Pipe.met(pipe, PATIENCE);
                    InputStream dump = met.input()) {
                met.here();
                try (Bucket opened = open()) {
                    return put(met, dump, opened);
                }
            }
        });
    }

    @Command(name = "archive", description = "Writes the binary logs that come through the pipe beside the backups.")
    int archive() throws IOException {
        return reporting(() -> {
            try (Pipe met = Pipe.met(pipe, PATIENCE);
                    InputStream logs = new BufferedInputStream(met.input())) {
                met.here();
                try (Bucket opened = open()) {
                    return Optional.of(
                            new Transfer(met, logs, ServerLogs.of(variables), LogArchive.beside(opened, key), partBytes)
                                    .run(after));
                }
            }
        });
    }

    @Command(name = "check", description = "Reads the object, and looks whether it is what it was.")
    int check() throws IOException {
        return reporting(() -> {
            try (Bucket opened = open()) {
                Verified verified = Verified.of(opened, key, sha256);
                String reached = replay(opened, key)
                        .map(replay -> replay.end().text())
                        .orElse(verified.manifest().gtid());
                return Optional.of(Map.of("verified", key, "gtid", reached));
            }
        });
    }

    @Command(name = "find", description = "Tells what the object was when it was made, or, of a folder, the newest.")
    int find() throws IOException {
        return reporting(() -> {
            try (Bucket opened = open()) {
                String file = key.endsWith("/") ? newest(opened) : key;
                Manifest manifest = Verified.manifest(opened, file);
                String reached =
                        replay(opened, file).map(replay -> replay.end().text()).orElse(manifest.gtid());
                return Optional.of(Map.of(
                        "file",
                        file,
                        "sha256",
                        manifest.sha256(),
                        "gtid",
                        reached,
                        "serverVersion",
                        manifest.serverVersion()));
            }
        });
    }

    @Command(name = "get", description = "Checks the object, and then sends it through the pipe.")
    int get() throws IOException {
        return reporting(() -> {
            try (Pipe met = Pipe.met(pipe, PATIENCE);
                    OutputStream logs = isReplaying() ? met.logs() : OutputStream.nullOutputStream();
                    OutputStream load = met.output()) {
                met.here();
                try (Bucket opened = open()) {
                    get(met, load, logs, opened);
                    return Optional.of(Map.of("sent", key));
                }
            }
        });
    }

    /** The last one right below the folder, or the last one before what is asked for. */
    private String newest(Bucket opened) {
        return opened.newestFirst(key).stream()
                .filter(file -> !isReplaying() || Replay.isBefore(this::target, Verified.manifest(opened, file)))
                .findFirst()
                .orElseThrow(() -> new S3Failure("there is no backup right below " + key
                        + " in the bucket: no manifest .sql.gz.json"
                        + (isReplaying() ? " from before what is asked for" : "")));
    }

    private Target target(Flavor flavor) {
        return pointInTime == null
                ? Target.transactions(flavor, Objects.requireNonNull(gtid))
                : Target.moment(pointInTime);
    }

    private boolean isReplaying() {
        return pointInTime != null || gtid != null;
    }

    /** What follows on an object; empty where nothing was asked for. */
    private Optional<Replay> replay(Bucket opened, String file) {
        if (!isReplaying()) {
            return Optional.empty();
        }
        return Optional.of(
                Replay.of(LogArchive.beside(opened, folder(file)), Verified.manifest(opened, file), this::target));
    }

    @Command(
            name = "remove",
            description =
                    "Removes the object, its manifest, and what was begun of it, and binary logs beside it that follow on"
                            + " no other one; but no backup with another SHA-256.")
    int remove() throws IOException {
        return reporting(() -> {
            try (Bucket opened = open()) {
                if (isOurs(opened)) {
                    opened.remove(key);
                    shortenArchive(opened);
                }
                return Optional.of(Map.of("removed", key));
            }
        });
    }

    /** One that failed because there was another of that name, perhaps of another Kubernetes cluster, leaves that one. */
    private boolean isOurs(Bucket opened) {
        return opened.manifest(key)
                .filter(manifest -> !manifest.sha256().equals(sha256))
                .isEmpty();
    }

    /** The backup is gone whether that can be done or not; it is tried again with the next one. */
    private void shortenArchive(Bucket opened) {
        String folder = folder(key);
        try {
            // One that is being made may hold less than those that are there: its server may lag behind.
            if (!opened.isUploading(folder)) {
                LogArchive.beside(opened, folder)
                        .removeUnneeded(opened.newestFirst(folder).stream()
                                .map(file -> Verified.manifest(opened, file))
                                .toList());
            }
        } catch (S3Failure left) {
            log.atWarn()
                    .addKeyValue("reason", left.getMessage())
                    .log("binary logs that nothing can be restored with may be left in the bucket");
        }
    }

    private static String folder(String file) {
        return file.substring(0, file.lastIndexOf('/') + 1);
    }

    private Bucket open() {
        return Bucket.open(
                new S3Place(endpoint, region, bucket, pathStyle, encryption),
                Credentials.of(variables, ownCa),
                attempts);
    }

    private int reporting(Work work) throws IOException {
        Optional<Map<String, String>> said;
        int exitCode = 1;
        try {
            said = work.done();
            exitCode = said.isPresent() ? 0 : 1;
        } catch (OutOfReach refusal) {
            said = Optional.of(Map.of("message", String.valueOf(refusal.getMessage()), "outOfReach", "true"));
        } catch (S3Failure failure) {
            said = Optional.of(Map.of("message", String.valueOf(failure.getMessage())));
        } catch (InterruptedException | IOException brokenOff) {
            log.atInfo().addKeyValue("reason", brokenOff.toString()).log("the pipe has broken");
            said = Optional.empty();
        }
        if (said.isPresent()) {
            Files.write(report, JSON.writeValueAsBytes(said.get()));
        }
        return exitCode;
    }

    private Optional<Map<String, String>> put(Pipe met, InputStream dump, Bucket opened) throws IOException {
        if (opened.manifest(key).isPresent()) {
            throw new S3Failure(key + " is there already: remove it, or give the backup another name");
        }
        // Only one backup of a cluster is made at a time.
        opened.abortUploads(folder(key));
        Upload upload = opened.upload(key, partBytes);
        Optional<Manifest> whole = Optional.empty();
        try {
            met.ready();
            upload.parts(dump);
            whole = met.outcome().map(outcome -> manifest(upload, outcome));
        } finally {
            if (whole.isEmpty()) {
                upload.abort();
            }
        }
        whole.ifPresent(manifest -> complete(opened, upload, manifest));
        return whole.map(manifest -> Map.of(
                "file", key,
                "sha256", manifest.sha256(),
                "sizeBytes", String.valueOf(manifest.sizeBytes()),
                "gtid", manifest.gtid()));
    }

    private Manifest manifest(Upload upload, JsonNode outcome) {
        return new Manifest(
                key,
                upload.size(),
                upload.sha256(),
                outcome.path("gtid").asText(),
                outcome.path("serverVersion").asText(),
                Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
    }

    /** All of it or nothing: a server may have done what it then did not say. */
    private void complete(Bucket opened, Upload upload, Manifest manifest) {
        boolean done = false;
        try {
            upload.complete();
            opened.write(manifest);
            done = true;
        } finally {
            if (!done) {
                discard(opened);
            }
        }
    }

    private void discard(Bucket opened) {
        try {
            opened.remove(key);
        } catch (S3Failure left) {
            log.atWarn().addKeyValue("reason", left.getMessage()).log("part of a backup may be left in the bucket");
        }
    }

    /** Nothing is sent before all of it was verified. */
    private void get(Pipe met, OutputStream load, OutputStream logs, Bucket opened) throws IOException {
        Verified verified = Verified.of(opened, key, sha256);
        Optional<Replay> replay = replay(opened, key);
        if (replay.isPresent()) {
            met.tell("position", replay.get().end().text());
        }
        met.ready();
        try (InputStream again = verified.stream()) {
            again.transferTo(load);
            load.close();
            if (replay.isPresent()) {
                replay.get().send(logs);
            }
        } catch (S3Failure cutOff) {
            met.tell("failed", String.valueOf(cutOff.getMessage()));
            throw cutOff;
        }
    }
}

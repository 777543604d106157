package io.busbar.operator.mysqlcluster.bed;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** What MariaDB's packages install. Any thread. */
enum MariaDbProgram {
    SERVER("mariadbd"),
    INITIALIZER("mariadb-install-db");

    private final Optional<Path> path;

    MariaDbProgram(String name) {
        Stream<String> folders = Stream.concat(
                Stream.of(System.getenv().getOrDefault("PATH", "").split(":")),
                Stream.of("/usr/sbin", "/usr/local/sbin"));
        this.path = folders.map(folder -> Path.of(folder, name))
                .filter(Files::isExecutable)
                .findFirst();
    }

    boolean installed() {
        return path.isPresent();
    }

    String path() {
        return path.orElseThrow(() -> new IllegalStateException(name() + " of MariaDB is not installed"))
                .toString();
    }

    /** Runs a command to its end, which must be a good one. */
    static void run(List<String> command, String input) throws InterruptedException {
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            try (OutputStream in = process.getOutputStream()) {
                in.write(input.getBytes(UTF_8));
            }
            String output = new String(process.getInputStream().readAllBytes(), UTF_8);
            if (process.waitFor() != 0) {
                throw new IllegalStateException(command.get(0) + " failed: " + output);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

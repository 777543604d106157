package io.busbar.operator.mysqlcluster.bed;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/** Data of new servers: made once for each password of {@code root}, copied from then on. Any thread. */
final class MariaDbData {

    private static final Map<String, Path> BY_ROOT_PASSWORD = new ConcurrentHashMap<>();

    private MariaDbData() {}

    static void copyTo(Path dataDir, String rootPassword) {
        copy(BY_ROOT_PASSWORD.computeIfAbsent(rootPassword, MariaDbData::make), dataDir);
    }

    private static Path make(String rootPassword) {
        try {
            Path dataDir = TemporaryFolder.make("mariadb").resolve("data");
            MariaDbProgram.run(
                    List.of(
                            MariaDbProgram.INITIALIZER.path(),
                            "--no-defaults",
                            "--user=" + System.getProperty("user.name"),
                            "--auth-root-authentication-method=normal",
                            "--skip-test-db",
                            "--skip-name-resolve",
                            "--innodb-log-file-size=8M",
                            "--tmpdir=" + dataDir.getParent(),
                            "--datadir=" + dataDir),
                    "");
            MariaDbProgram.run(
                    List.of(
                            MariaDbProgram.SERVER.path(),
                            "--no-defaults",
                            "--user=" + System.getProperty("user.name"),
                            "--bootstrap",
                            "--innodb-log-file-size=8M",
                            "--tmpdir=" + dataDir.getParent(),
                            "--datadir=" + dataDir),
                    accounts(rootPassword));
            return dataDir;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** As the container images make them. */
    private static String accounts(String rootPassword) {
        String quoted = "'" + rootPassword.replace("\\", "\\\\").replace("'", "\\'") + "'";
        return String.join(
                        "\n",
                        "DELETE FROM mysql.global_priv WHERE User = '' OR User = 'root' AND Host <> 'localhost';",
                        "FLUSH PRIVILEGES;",
                        "ALTER USER root@localhost IDENTIFIED BY " + quoted + ";",
                        "CREATE USER root@'%' IDENTIFIED BY " + quoted + ";",
                        "GRANT ALL ON *.* TO root@'%' WITH GRANT OPTION;")
                + "\n";
    }

    private static void copy(Path from, Path to) {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                Files.copy(file, to.resolve(from.relativize(file).toString()));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

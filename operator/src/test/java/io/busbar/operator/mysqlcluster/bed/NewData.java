package io.busbar.operator.mysqlcluster.bed;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * Data of new servers: made once, copied from then on. MariaDB's hold the password of {@code root} already; MySQL's do
 * so once a server has started with the statements of {@link #FIRST_START}, as it has no way to change data without
 * one.
 *
 * <p>Any thread.
 */
final class NewData {

    /** In the folder of the data: statements that the server is to begin with. */
    static final String FIRST_START = "first-start.sql";

    private record Kind(Product product, String rootPassword) {}

    private static final Map<Kind, Path> MADE = new ConcurrentHashMap<>();

    private NewData() {}

    static void copyTo(Product product, Path dataDir, String rootPassword) {
        try {
            copy(empty(product, rootPassword), dataDir);
            if (product == Product.MYSQL) {
                Files.writeString(dataDir.resolve(FIRST_START), root(rootPassword));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Data of a server whose root can be given a password, in a folder that stays as it is. */
    static Path empty(Product product) {
        return empty(product, "");
    }

    private static Path empty(Product product, String rootPassword) {
        Kind kind = new Kind(product, product == Product.MYSQL ? "" : rootPassword);
        return MADE.computeIfAbsent(kind, NewData::make);
    }

    /** Those of a data folder that has not been started yet. */
    static Optional<Path> firstStart(Path dataDir) {
        return Optional.of(dataDir.resolve(FIRST_START)).filter(Files::exists);
    }

    private static Path make(Kind kind) {
        try {
            Path dataDir = TemporaryFolder.make("database").resolve("data");
            switch (kind.product()) {
                case MARIADB -> makeMariaDb(dataDir, kind.rootPassword());
                case MYSQL -> makeMySql(dataDir);
            }
            return dataDir;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private static void makeMariaDb(Path dataDir, String rootPassword) throws InterruptedException {
        Path server = Path.of(Product.MARIADB.server());
        Path initializer = Stream.of(
                        server.resolveSibling("mariadb-install-db"), Path.of("/usr/bin/mariadb-install-db"))
                .filter(Files::isExecutable)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("mariadb-install-db is not installed"));
        Command.run(
                List.of(
                        initializer.toString(),
                        "--no-defaults",
                        "--user=" + System.getProperty("user.name"),
                        "--auth-root-authentication-method=normal",
                        "--skip-test-db",
                        "--skip-name-resolve",
                        "--innodb-log-file-size=8M",
                        "--tmpdir=" + dataDir.getParent(),
                        "--datadir=" + dataDir),
                "");
        Command.run(
                List.of(
                        server.toString(),
                        "--no-defaults",
                        "--user=" + System.getProperty("user.name"),
                        "--bootstrap",
                        "--innodb-log-file-size=8M",
                        "--tmpdir=" + dataDir.getParent(),
                        "--datadir=" + dataDir),
                "DELETE FROM mysql.global_priv WHERE User = '' OR User = 'root' AND Host <> 'localhost';\n"
                        + "FLUSH PRIVILEGES;\n"
                        + root(rootPassword));
    }

    /** Without the identifier that no two servers may have in common. */
    private static void makeMySql(Path dataDir) throws IOException, InterruptedException {
        Command.run(
                List.of(
                        Product.MYSQL.server(),
                        "--no-defaults",
                        "--user=" + System.getProperty("user.name"),
                        "--initialize-insecure",
                        "--secure-file-priv=NULL",
                        "--innodb-redo-log-capacity=16M",
                        "--tmpdir=" + dataDir.getParent(),
                        "--datadir=" + dataDir),
                "");
        Files.delete(dataDir.resolve("auto.cnf"));
    }

    /** As the container images make the accounts. */
    private static String root(String rootPassword) {
        String quoted = "'" + rootPassword.replace("\\", "\\\\").replace("'", "\\'") + "'";
        return String.join(
                        "\n",
                        "SET SESSION sql_log_bin = OFF;",
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

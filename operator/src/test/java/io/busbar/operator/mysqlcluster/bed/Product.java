package io.busbar.operator.mysqlcluster.bed;

import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The two products that the operator runs, and where this machine has them: MariaDB as its packages install it, MySQL
 * in the folder that
 * {@value #MYSQL_HOME} names, with its programs in {@code bin}, or else on the PATH. Any thread.
 */
public enum Product {
    MARIADB("mariadb:10.11", "mariadbd", false),
    MYSQL("mysql:9.7", "mysqld", true);

    /** Environment variable with the folder of a MySQL that is not on the PATH; empty for none. */
    static final String MYSQL_HOME = "TEST_MYSQL_HOME";

    /** Why tests that need MySQL are skipped. */
    public static final String NEEDS_MYSQL =
            "no MySQL: no mysqld but MariaDB's is on the PATH, and " + MYSQL_HOME + " names none";

    /** Why tests that need MariaDB are skipped. */
    public static final String NEEDS_MARIADB = "mariadbd is not installed";

    private static final String SYSTEM_FOLDERS = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

    private final String image;
    private final Optional<Path> server;

    Product(String image, String server, boolean other) {
        this.image = image;
        this.server = folders(other)
                .map(folder -> folder.resolve(server))
                .filter(Files::isExecutable)
                .filter(program -> !other || !isMariaDb(program))
                .findFirst();
    }

    private static Stream<Path> folders(boolean other) {
        String home = System.getenv().getOrDefault(MYSQL_HOME, "");
        String path = System.getenv().getOrDefault("PATH", "") + ":" + SYSTEM_FOLDERS;
        return other && !home.isEmpty()
                ? Stream.of(Path.of(home, "bin"))
                : Stream.of(path.split(":")).filter(folder -> !folder.isEmpty()).map(Path::of);
    }

    /** MariaDB's packages install it by MySQL's name, too. */
    private static boolean isMariaDb(Path program) {
        try {
            return Command.run(List.of(program.toString(), "--no-defaults", "--version"), "")
                    .contains("MariaDB");
        } catch (IllegalStateException | UncheckedIOException broken) {
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true;
        }
    }

    /** Of which an image is. */
    static Product of(String image) {
        return image.substring(image.lastIndexOf('/') + 1).startsWith("mysql") ? MYSQL : MARIADB;
    }

    /** For {@code @EnabledIf}. */
    public static boolean hasMariaDb() {
        return MARIADB.installed();
    }

    /** For {@code @EnabledIf}. */
    public static boolean hasMySql() {
        return MYSQL.installed();
    }

    public boolean installed() {
        return server.isPresent();
    }

    /** Why tests that need it are skipped where it is not installed. */
    public String lacking() {
        return this == MYSQL ? NEEDS_MYSQL : NEEDS_MARIADB;
    }

    /** What a container is to be of to run it. */
    public String image() {
        return image;
    }

    String server() {
        return server.orElseThrow(() -> new IllegalStateException(lacking())).toString();
    }

    /** Where programs are looked for in a container of its image. */
    String path() {
        return this == MYSQL && installed() ? Path.of(server()).getParent() + ":" + SYSTEM_FOLDERS : SYSTEM_FOLDERS;
    }

    /**
     * What is not there in a container of its image, though this machine has it: paths, with {@code *} for anything.
     */
    List<String> absent() {
        return this == MYSQL
                ? List.of(
                        "/usr/bin/mariadb*",
                        "/usr/sbin/mariadbd",
                        Path.of(server()).resolveSibling("mysqlbinlog").toString())
                : List.of();
    }

    /** Lines of an option file for a server that is small, and loses no write when its process is killed. */
    List<String> small() {
        return switch (this) {
            case MARIADB ->
                List.of(
                        "[mysqld]",
                        "skip-name-resolve",
                        "innodb-buffer-pool-size=16M",
                        "innodb-log-file-size=8M",
                        "innodb-buffer-pool-dump-at-shutdown=OFF",
                        "innodb-flush-log-at-trx-commit=1",
                        "innodb-doublewrite=OFF",
                        "key-buffer-size=1M",
                        "aria-pagecache-buffer-size=1M",
                        "performance-schema=OFF");
            case MYSQL ->
                List.of(
                        "[mysqld]",
                        "skip-name-resolve",
                        "innodb-buffer-pool-size=16M",
                        "innodb-redo-log-capacity=16M",
                        "innodb-log-buffer-size=2M",
                        "innodb-buffer-pool-dump-at-shutdown=OFF",
                        "innodb-flush-log-at-trx-commit=1",
                        "innodb-doublewrite=OFF",
                        "sync-binlog=1",
                        "key-buffer-size=1M",
                        "mysqlx=OFF",
                        "secure-file-priv=NULL",
                        "performance-schema=OFF");
        };
    }
}

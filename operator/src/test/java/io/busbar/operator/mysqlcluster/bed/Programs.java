package io.busbar.operator.mysqlcluster.bed;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a command of this machine finds when it runs as in an image of one product: that product's programs, and none of
 * the other's. MySQL's own images have no {@code mysqlbinlog}.
 *
 * <p>Immutable.
 *
 * @param path for the environment
 * @param client the command line that begins a session of SQL
 */
public record Programs(String path, List<String> client) {

    private static @Nullable Programs ofMySql;

    public Programs {
        client = List.copyOf(client);
    }

    public static Programs of(Product product) throws IOException {
        return product == Product.MARIADB
                ? new Programs(System.getenv("PATH"), List.of("mariadb", "--no-defaults"))
                : ofMySql();
    }

    /** Some thousand links, which are made once, and gone with the JVM. */
    private static synchronized Programs ofMySql() throws IOException {
        if (ofMySql == null) {
            ofMySql = linked(TemporaryFolder.make("programs"));
        }
        return ofMySql;
    }

    private static Programs linked(Path links) throws IOException {
        Path mysql = Path.of(Product.MYSQL.server()).getParent();
        link(links, mysql, false);
        link(links, Path.of("/usr/bin"), true);
        return new Programs(
                links.toString(),
                List.of(mysql.resolve("mysql").toString(), "--no-defaults", "--get-server-public-key"));
    }

    /**
     * The same, but for one whose output goes through a filter.
     *
     * @param folder where that is put
     * @param filter a command of bash
     */
    public Programs with(String program, Path folder, String filter) throws IOException {
        Path filtered = folder.resolve(program);
        Files.writeString(
                filtered, "#!/bin/bash\nset -o pipefail\nPATH=" + path + "\n" + program + " \"$@\" | " + filter + "\n");
        Files.setPosixFilePermissions(filtered, PosixFilePermissions.fromString("rwxr-xr-x"));
        return new Programs(folder + ":" + path, client);
    }

    private static void link(Path links, Path folder, boolean unlessOfDatabases) throws IOException {
        List<Path> programs = new ArrayList<>();
        try (Stream<Path> all = Files.list(folder)) {
            all.forEach(programs::add);
        }
        for (Path program : programs) {
            String name = program.getFileName().toString();
            Path link = links.resolve(name);
            boolean isLeftOut = unlessOfDatabases ? name.matches("(mariadb|mysql).*") : name.equals("mysqlbinlog");
            if (!isLeftOut && Files.notExists(link)) {
                Files.createSymbolicLink(link, program);
            }
        }
    }
}

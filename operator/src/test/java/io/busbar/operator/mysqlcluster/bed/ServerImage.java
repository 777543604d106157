package io.busbar.operator.mysqlcluster.bed;

import io.fabric8.kubernetes.api.model.Container;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * What an image of a database server would hold: a configuration, an empty database and the script that starts the server. Stands for any
 * image of a container that has the port 3306. Immutable.
 */
final class ServerImage {

    static final String DATA = "/var/lib/mysql";

    private final Path folder;

    private ServerImage(Path folder) {
        this.folder = folder;
    }

    static ServerImage unpack(Path folder) throws IOException {
        Files.createDirectories(folder.resolve("etc/conf.d"));
        Files.createDirectories(folder.resolve("etc/mariadb.conf.d"));
        copy("my.cnf", folder.resolve("etc/my.cnf"));
        copy("entrypoint.sh", folder.resolve("entrypoint.sh"));
        MariaDbData.copyTo(folder.resolve("empty-database"), "");
        return new ServerImage(folder);
    }

    static void copy(String resource, Path to) throws IOException {
        try (InputStream from = ServerImage.class.getResourceAsStream(resource)) {
            Files.copy(from, to);
        }
    }

    static boolean serves(Container container) {
        return container.getPorts().stream().anyMatch(port -> port.getContainerPort() == Addresses.PORT);
    }

    List<Mount> mounts() {
        return List.of(
                Mount.copy(folder.resolve("etc"), "/etc/mysql"),
                Mount.bind(folder.resolve("entrypoint.sh"), "/opt/entrypoint.sh", true),
                Mount.bind(folder.resolve("empty-database"), "/opt/empty-database", true));
    }

    /** @param arguments for the server */
    static List<String> command(String address, List<String> arguments) {
        List<String> command = new ArrayList<>(List.of("bash", "/opt/entrypoint.sh", address));
        command.addAll(arguments);
        return command;
    }
}

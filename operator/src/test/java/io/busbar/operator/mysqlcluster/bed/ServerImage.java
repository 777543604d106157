package io.busbar.operator.mysqlcluster.bed;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What an image of one product holds: a configuration, an empty database, the script that starts the server, and no
 * programs of the other product. Immutable.
 */
final class ServerImage {

    static final String DATA = "/var/lib/mysql";

    private final Path folder;

    private final Product product;

    private ServerImage(Product product, Path folder) {
        this.product = product;
        this.folder = folder;
    }

    static ServerImage unpack(Product product, Path folder) throws IOException {
        String name = product.name().toLowerCase(Locale.ROOT);
        Files.createDirectories(folder.resolve("etc/conf.d"));
        Files.createDirectories(folder.resolve("etc/mariadb.conf.d"));
        copy(name + ".cnf", folder.resolve("etc/my.cnf"));
        copy(name + ".sh", folder.resolve("entrypoint.sh"));
        Path exporter = folder.resolve("mysqld_exporter");
        copy("mysqld_exporter.sh", exporter);
        Files.setPosixFilePermissions(exporter, PosixFilePermissions.fromString("rwxr-xr-x"));
        return new ServerImage(product, folder);
    }

    static void copy(String resource, Path to) throws IOException {
        try (InputStream from = ServerImage.class.getResourceAsStream(resource)) {
            Files.copy(from, to);
        }
    }

    /** The one of a Pod that is really run: the server, wherever among sidecars it stands; of other Pods, the first. */
    static Container container(Pod pod) {
        List<Container> all = pod.getSpec().getContainers();
        return all.stream().filter(ServerImage::serves).findFirst().orElse(all.get(0));
    }

    static boolean serves(Container container) {
        return container.getPorts().stream().anyMatch(port -> port.getContainerPort() == Addresses.PORT);
    }

    /** For its programs. */
    String path() {
        return product.path();
    }

    /** What all its containers have in common. */
    List<Mount> programs() {
        return product.absent().stream().map(Mount::hide).toList();
    }

    /** A program that stands in for that of the exporter's image. */
    Path exporter() {
        return folder.resolve("mysqld_exporter");
    }

    /** What its servers have besides. */
    List<Mount> mounts() {
        return List.of(
                Mount.copy(folder.resolve("etc"), "/etc/mysql"),
                Mount.bind(folder.resolve("entrypoint.sh"), "/opt/entrypoint.sh", true),
                Mount.bind(NewData.empty(product), "/opt/empty-database", true));
    }

    /** @param arguments for the server */
    static List<String> command(String address, List<String> arguments) {
        List<String> command = new ArrayList<>(List.of("bash", "/opt/entrypoint.sh", address));
        command.addAll(arguments);
        return command;
    }
}

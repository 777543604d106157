package io.busbar.operator.mysqlcluster.bed;

import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * A Node of a cluster, on this machine, whose Pods run for real: database servers, and the commands of Jobs.
 *
 * <p>A container that has the port 3306 and no command is a server: of MySQL if its image is called {@code mysql}, with
 * any version, else of MariaDB. One of {@link #OPERATOR_IMAGE} runs the jar. Any other runs its command on this
 * machine's programs, or does nothing for good where it has none. Each Pod has an address of the loopback net, the same
 * for the same claim, so that clients need no DNS. Pods come here by {@link #selector} and {@link #TOLERATION}. When
 * this is closed, or the JVM ends, nothing of it is left running.
 *
 * <p>Any thread; starting and closing block.
 */
public final class DatabaseNode implements AutoCloseable {

    /** Why tests that need one are skipped. */
    public static final String NEEDS = "a Node of databases needs root on Linux, unshare, setpriv, ip and mariadbd";

    /**
     * What Pods have to tolerate, in the flow style of YAML: others, which would not run here as they are meant to,
     * stay away.
     */
    public static final String TOLERATION = "{key: " + DatabaseNode.TAINT + ", operator: Exists}";

    /**
     * What the operator's own program is in: the jar of the property {@code busbar.jar}. It runs beside the first
     * container of a Pod, too.
     */
    public static final String OPERATOR_IMAGE = "busbar:of-this-build";

    static final String TAINT = "busbar.io/databases-of-a-test";
    static final String TAINT_EFFECT = "NoSchedule";

    private static final String HOSTNAME = "kubernetes.io/hostname";

    private final String name;
    private final Path root;
    private final Addresses addresses;
    private final NodeHeartbeat heartbeat;
    private final BoundPods pods;

    private DatabaseNode(KubernetesClient client, Path root) throws IOException {
        this.name = "databases-" + UUID.randomUUID().toString().substring(0, 8);
        this.root = root;
        this.addresses = Addresses.reserve();
        this.heartbeat = new NodeHeartbeat(client, name, addresses.node());
        Path enter = root.resolve("enter.sh");
        ServerImage.copy("enter.sh", enter);
        ContainerPlans plans = new ContainerPlans(
                client,
                images(root.resolve("images")),
                new ClaimVolumes(root.resolve("claims")),
                addresses,
                root.resolve("pods"));
        this.pods = new BoundPods(client, name, plans, enter);
    }

    private static Map<Product, ServerImage> images(Path folder) throws IOException {
        Map<Product, ServerImage> images = new EnumMap<>(Product.class);
        for (Product product : Product.values()) {
            images.put(product, ServerImage.unpack(product, folder.resolve(product.name())));
        }
        return images;
    }

    /** Whether this machine has what it takes to run MariaDB, see {@link #NEEDS}. */
    public static boolean runsHere() {
        return Product.hasMariaDb() && hasContainers();
    }

    /** Whether this machine has what it takes to run MySQL. */
    public static boolean runsMySql() {
        return Product.hasMySql() && hasContainers();
    }

    /** Whether this machine can give processes a file system to themselves, and take their addresses off the net. */
    public static boolean hasContainers() {
        try {
            Command.run(
                    List.of("setpriv", "--pdeathsig", "KILL", "unshare", "--mount", "--pid", "--uts", "--fork", "true"),
                    "");
            Command.run(List.of("ip", "-Version"), "");
            return true;
        } catch (UncheckedIOException | IllegalStateException lacking) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /**
     * Adds one to a cluster.
     *
     * @param client of somebody who may do everything; stays the caller's
     */
    public static DatabaseNode start(KubernetesClient client) {
        try {
            DatabaseNode node = new DatabaseNode(client, TemporaryFolder.make("databases"));
            boolean started = false;
            try {
                node.heartbeat.start();
                node.pods.start();
                started = true;
                return node;
            } finally {
                if (!started) {
                    node.close(); // or Pods would be sent to a Node that nobody plays
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public String name() {
        return name;
    }

    /** The {@code nodeSelector} that brings a Pod here. */
    public Map<String, String> selector() {
        return Map.of(HOSTNAME, name);
    }

    /** What can be done to a Pod of that name, which may be yet to come. */
    public DatabasePod pod(String namespace, String pod) {
        return pods.steering(namespace, pod);
    }

    /** Kills all that runs, and takes the Pods and the Node out of the cluster. */
    @Override
    public void close() {
        try {
            pods.stop();
            heartbeat.stop();
            addresses.close();
            TemporaryFolder.delete(root);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

package io.busbar.sandbox.bench;

import io.busbar.common.internal.command.Logging;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.logging.LogManager;
import org.slf4j.event.Level;

/**
 * The JVM of a test: starts a server, makes ConfigMaps by one client on one thread, and starts a second server. Prints
 * six numbers: the milliseconds until the first server has made a first object, the same of the second, creates per
 * second at first and later, the megabytes of this JVM and those of the server's processes, if it has any.
 */
final class ComparedTest {

    private static final int AT_FIRST = 1_000;
    private static final int BETWEEN = 3_000;
    private static final String VALUE = "x".repeat(600);

    private ComparedTest() {}

    public static void main(String[] arguments) throws Exception {
        LogManager.getLogManager().reset();
        Logging.configure(Level.ERROR, Logging.Format.TEXT, Set.of());
        TestServer.Kind kind = TestServer.Kind.valueOf(arguments[0]);
        preload();
        double first;
        double cold;
        double warm;
        double own;
        double others;
        long begun = System.nanoTime();
        try (TestServer server = kind.start()) {
            KubernetesClient client = server.client();
            untilMade(client);
            first = (System.nanoTime() - begun) / 1e6;
            cold = perSecond(client, "cold", AT_FIRST);
            double unused = perSecond(client, "between", BETWEEN);
            warm = perSecond(client, "warm", AT_FIRST);
            own = megabytes(List.of(ProcessHandle.current()));
            others = megabytes(server.processes());
        }
        begun = System.nanoTime();
        double again;
        try (TestServer server = kind.start()) {
            untilMade(server.client());
            again = (System.nanoTime() - begun) / 1e6;
        }
        System.out.println(first + " " + again + " " + cold + " " + warm + " " + own + " " + others);
        System.exit(0);
    }

    /** The client's own classes, which take longer than many a server, and are the same for all. */
    private static void preload() {
        try (KubernetesClient client = TestServer.client("http://127.0.0.1:1", "")) {
            client.resource(map("none", 0)).create();
        } catch (KubernetesClientException nobodyThere) {
            return;
        }
        throw new IllegalStateException("somebody answers on port 1");
    }

    private static void untilMade(KubernetesClient client) throws InterruptedException {
        while (true) {
            try {
                client.resource(map("first", 0)).create();
                return;
            } catch (KubernetesClientException notYet) {
                TimeUnit.MILLISECONDS.sleep(5);
            }
        }
    }

    private static double perSecond(KubernetesClient client, String name, int count) {
        long begun = System.nanoTime();
        for (int i = 0; i < count; i++) {
            client.resource(map(name, i)).create();
        }
        return count / ((System.nanoTime() - begun) / 1e9);
    }

    private static ConfigMap map(String name, int number) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withName(name + "-" + number)
                .withNamespace("default")
                .endMetadata()
                .addToData("bench", VALUE)
                .build();
    }

    private static double megabytes(List<ProcessHandle> processes) throws IOException {
        double all = 0;
        for (ProcessHandle process : processes) {
            all += residentMegabytes(process);
        }
        return all;
    }

    private static double residentMegabytes(ProcessHandle process) throws IOException {
        String resident = "VmRSS:";
        return Files.readAllLines(Path.of("/proc/" + process.pid() + "/status")).stream()
                .filter(line -> line.startsWith(resident))
                .mapToDouble(line -> Double.parseDouble(line.substring(resident.length())
                                .replace("kB", "")
                                .strip())
                        / 1e3)
                .sum();
    }
}

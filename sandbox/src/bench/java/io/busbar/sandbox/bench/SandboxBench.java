package io.busbar.sandbox.bench;

import io.busbar.sandbox.Sandbox;
import io.busbar.sandbox.SandboxOptions;
import io.busbar.sandbox.VertxSandbox;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/**
 * Measures a sandbox against fabric8's mock server and, where KUBECONFIG names one, a real cluster: creates, lists,
 * watches; and the time that a sandbox takes to start in a warm JVM, and the memory that it takes for what it holds.
 */
public final class SandboxBench {

    private static final int STARTS = 15;

    private SandboxBench() {}

    public static void main(String[] arguments) throws Exception {
        Vertx vertx = Vertx.vertx();
        starts(vertx);
        warmClient(vertx);
        Figures sandbox = loaded(vertx, "sandbox");
        Figures mock = loaded(vertx, "mock");
        Figures.print(sandbox, mock);
        String kubeconfig = System.getenv("KUBECONFIG");
        if (kubeconfig == null) {
            System.out.println("no KUBECONFIG: not measured against a real server");
        } else {
            Figures real = new Load(vertx, Target.cluster(kubeconfig)).run();
            System.out.println(real);
            Figures.print(sandbox, real);
        }
        vertx.close();
        System.exit(0);
    }

    private static void starts(Vertx vertx) throws Exception {
        double[] millis = new double[STARTS];
        for (int i = 0; i < STARTS; i++) {
            long start = System.nanoTime();
            Sandbox sandbox = get(VertxSandbox.start(vertx, SandboxOptions.defaults()));
            millis[i] = (System.nanoTime() - start) / 1e6;
            sandbox.close();
        }
        double first = millis[0];
        double second = millis[1];
        Arrays.sort(millis);
        System.out.printf(
                "start to ready, HTTPS: first in the JVM %.0f ms, second %.0f ms, median of %d %.0f ms%n",
                first, second, STARTS, millis[STARTS / 2]);
    }

    /** So that the server that comes first has no slower client than the others. */
    private static void warmClient(Vertx vertx) throws Exception {
        try (ServedAlone server = ServedAlone.start("sandbox")) {
            new Load(vertx, Target.local("client", server)).run();
        }
    }

    private static Figures loaded(Vertx vertx, String which) throws Exception {
        try (ServedAlone server = ServedAlone.start(which)) {
            memory(vertx, which, server);
            Figures figures = new Load(vertx, Target.local(which, server)).run();
            System.out.println(figures);
            return figures;
        }
    }

    /** Live heap for 5,000 objects, in relation to the JSON of their list. */
    private static void memory(Vertx vertx, String which, ServedAlone server) throws Exception {
        Load load = new Load(vertx, Target.local(which, server));
        load.fill("little", 10);
        long before = server.liveBytes();
        long json = load.fill("memory", 5_000);
        long after = server.liveBytes();
        System.out.printf(
                "%-8s live heap for 5,000 objects %.1f MiB, their JSON %.1f MiB: %.1f times%n",
                which, mebibytes(after - before), mebibytes(json), (after - before) / (double) json);
    }

    private static double mebibytes(long bytes) {
        return bytes / 1024.0 / 1024;
    }

    private static <T> T get(Future<T> future) throws Exception {
        return future.toCompletionStage().toCompletableFuture().get(1, TimeUnit.MINUTES);
    }
}

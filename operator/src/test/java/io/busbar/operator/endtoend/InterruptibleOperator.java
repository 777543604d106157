package io.busbar.operator.endtoend;

import io.busbar.operator.bundled.Bundled;
import io.busbar.operator.mysqlcluster.MySQLClusterBundle;
import io.busbar.operator.mysqlcluster.sql.ActionsOfOperator;
import io.busbar.operator.mysqlcluster.sql.InterruptibleServers;
import io.busbar.runtime.assembly.StandaloneOperator;
import io.busbar.runtime.bundle.OperatorDefinition;
import io.busbar.runtime.options.OperatorOptions;
import io.busbar.runtime.options.WebhookOptions;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.BasicBuilder;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.http.Interceptor;
import io.vertx.core.Vertx;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An operator for MySQLClusters in this JVM that ends at an action of its choice as a process does that is killed:
 * nothing that it does from then on has an effect, and its connections break off. Actions are statements that change
 * something on a server, and writes to the API server, but for Events.
 *
 * <p>For one thread; what it is asked as {@link ActionsOfOperator} comes on those of the operator.
 */
final class InterruptibleOperator {

    private final Path kubeconfig;
    private @Nullable Life life;

    /** When an operator ends. */
    enum When {
        BEFORE,
        AFTER
    }

    /** @param kubeconfig of the operator's account */
    InterruptibleOperator(Path kubeconfig) {
        this.kubeconfig = kubeconfig;
    }

    /** Another one, that never ends by itself. */
    void start() throws Exception {
        life = new Life(kubeconfig);
    }

    /**
     * The one that runs ends at an action, counted from 1 from now on.
     *
     * @return what tells about it
     */
    Life endAt(int action, When when) {
        Life running = alive();
        running.endAt(action, when);
        return running;
    }

    /** Takes away what is left of one that has ended, and starts another. */
    void startAnother() throws Exception {
        alive().bury();
        start();
    }

    private Life alive() {
        if (life == null) {
            throw new IllegalStateException("none was started");
        }
        return life;
    }

    void end() throws Exception {
        if (life != null) {
            life.bury();
        }
    }

    /** One operator, from its start to its end. Any thread. */
    static final class Life implements ActionsOfOperator {

        private final Vertx connections = Vertx.vertx();
        private final StandaloneOperator operator;
        private int left = Integer.MAX_VALUE;
        private int actions;
        private When when = When.BEFORE;
        private volatile String end = "";

        private Life(Path kubeconfig) throws Exception {
            OperatorDefinition bundled = Bundled.operator();
            OperatorOptions options = OperatorOptions.besideCluster(bundled.name());
            WebhookOptions webhooks = options.webhooks();
            operator = new StandaloneOperator(
                    new OperatorDefinition(
                            bundled.name(),
                            bundled.image(),
                            bundled.about(),
                            List.of(new MySQLClusterBundle(
                                    context -> new InterruptibleServers(connections, this), Clock.systemUTC()))),
                    Config.fromKubeconfig(kubeconfig.toFile()),
                    options.toBuilder()
                            .gracefulShutdownTimeout(Duration.ofMillis(1))
                            .webhooks(new WebhookOptions(
                                    webhooks.address(),
                                    new WebhookOptions.Certificates.None(),
                                    webhooks.clientCa(),
                                    webhooks.registrationUrl(),
                                    webhooks.service(),
                                    webhooks.http2()))
                            .build(),
                    List.of(new Requests()));
            operator.start();
        }

        private synchronized void endAt(int action, When how) {
            left = action;
            when = how;
            actions = 0;
        }

        /** What it ended at; empty while it lives. */
        String end() {
            return end;
        }

        /** How many there were since it was told when to end. */
        synchronized int actions() {
            return actions;
        }

        @Override
        public void goOn() {
            if (!end.isEmpty()) {
                throw new EndedException(end);
            }
        }

        @Override
        public synchronized void begins(String action) {
            goOn();
            actions++;
            left--;
            if (left == 0 && when == When.BEFORE) {
                end("before " + action);
            }
        }

        @Override
        public synchronized void done(String action) {
            goOn();
            if (left <= 0 && when == When.AFTER) {
                end("after " + action);
            }
        }

        private void end(String how) {
            end = how;
            var unused = connections.close();
            throw new EndedException(how);
        }

        private void bury() throws Exception {
            synchronized (this) {
                if (end.isEmpty()) {
                    end = "buried alive";
                }
            }
            connections.close().toCompletionStage().toCompletableFuture().join();
            operator.stop();
        }

        /** To the API server. */
        private final class Requests implements Interceptor {

            @Override
            public void before(BasicBuilder builder, HttpRequest request, RequestTags tags) {
                if (isAction(request)) {
                    begins(name(request));
                } else {
                    goOn();
                }
            }

            @Override
            public void after(
                    HttpRequest request, HttpResponse<?> response, AsyncBody.Consumer<List<ByteBuffer>> consumer) {
                if (isAction(request)) {
                    done(name(request));
                }
            }

            private static boolean isAction(HttpRequest request) {
                String path = request.uri().getPath();
                return !request.method().equals("GET")
                        && !path.contains("/events")
                        && !path.startsWith("/apis/authorization.k8s.io/");
            }

            private static String name(HttpRequest request) {
                String path = request.uri().getPath();
                return request.method() + path.replaceFirst(".*/namespaces/[^/]+/", " ");
            }
        }
    }

    /** Thrown at whatever goes on in an operator that has ended. */
    static final class EndedException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        EndedException(String end) {
            super("the operator ended " + end);
        }
    }
}

package io.busbar.sandbox.testkit;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.busbar.sandbox.Sandbox;
import io.busbar.sandbox.SandboxOptions;
import io.busbar.sandbox.VertxSandbox;
import io.vertx.core.Vertx;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ParameterResolutionException;

/**
 * Where tests run, and what was made for them: the sandbox of a class, or a cluster that is there.
 *
 * <p>Any thread.
 */
final class TestServer implements AutoCloseable {

    private static final long PATIENCE_SECONDS = 30;
    private static final YAMLMapper YAML = YAMLMapper.builder().build();
    private static final Optional<AsUser> ADMIN = Optional.empty();

    private final Optional<Sandbox> sandbox;
    private final SandboxOptions options;
    private final Optional<File> file;
    private final Map<Optional<AsUser>, String> kubeconfigs = new HashMap<>();
    private final Map<Optional<AsUser>, Path> files = new HashMap<>();
    private final Map<Optional<AsUser>, Object> clients = new HashMap<>();
    private final Deque<Runnable> undo = new ArrayDeque<>();
    private @Nullable ClusterObjects objects;

    private TestServer(Optional<Sandbox> sandbox, SandboxOptions options, Optional<File> file) {
        this.sandbox = sandbox;
        this.options = options;
        this.file = file;
    }

    /** @param vertx of the test; a sandbox has one of its own otherwise */
    static TestServer sandbox(Optional<Vertx> vertx, SandboxOptions options) {
        Sandbox started = vertx.map(given -> VertxSandbox.start(given, options)
                        .toCompletionStage()
                        .toCompletableFuture()
                        .orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS)
                        .join())
                .orElseGet(() -> Sandbox.start(options));
        return new TestServer(Optional.of(started), options, Optional.empty());
    }

    /** A cluster that is there, by a kubeconfig of its admin. */
    static TestServer existing(File kubeconfig) {
        return new TestServer(Optional.empty(), SandboxOptions.defaults(), Optional.of(kubeconfig));
    }

    Sandbox sandbox() {
        return sandbox.orElseThrow(
                () -> new ParameterResolutionException("only a sandbox has this, and the tests run on a cluster"));
    }

    SandboxOptions options() {
        return options;
    }

    /** What happened lately, or why that cannot be told; empty on a cluster. */
    Optional<String> report() {
        try {
            return sandbox.map(Sandbox::report);
        } catch (IllegalStateException e) {
            return Optional.of("no report: " + e.getMessage());
        }
    }

    synchronized ClusterObjects objects() {
        if (objects == null) {
            ClusterObjects first =
                    new ClusterObjects(sandbox.map(Wire::to).orElseGet(() -> Fabric8.wire(client(ADMIN))));
            if (file.isPresent()) {
                undo.push(first::takeAway);
            }
            objects = first;
        }
        return objects;
    }

    synchronized String kubeconfig(Optional<AsUser> user) {
        return kubeconfigs.computeIfAbsent(
                user,
                absent -> file.map(given -> rewritten(given, user))
                        .orElseGet(() -> user.map(named -> sandbox().kubeconfig(named.name(), List.of(named.groups())))
                                .orElseGet(() -> sandbox().kubeconfig())));
    }

    /** As it is, but to be used from anywhere, and as the user. */
    private static String rewritten(File file, Optional<AsUser> user) {
        try {
            JsonNode config = YAML.readTree(file);
            for (JsonNode entry : config.path("clusters")) {
                absolute(file, entry.path("cluster"), "certificate-authority");
            }
            for (JsonNode entry : config.path("users")) {
                absolute(file, entry.path("user"), "client-certificate", "client-key", "tokenFile");
                if (user.isPresent() && entry.path("user") instanceof ObjectNode one) {
                    one.put("as", user.get().name());
                    one.set("as-groups", YAML.valueToTree(user.get().groups()));
                }
            }
            return YAML.writeValueAsString(config);
        } catch (IOException e) {
            throw new UncheckedIOException(file + " is no kubeconfig", e);
        }
    }

    private static void absolute(File file, JsonNode node, String... keys) {
        for (String key : keys) {
            if (node.hasNonNull(key)) {
                Path path = file.toPath().resolveSibling(node.path(key).asText());
                ((ObjectNode) node).put(key, path.toAbsolutePath().toString());
            }
        }
    }

    synchronized Path kubeconfigFile(Optional<AsUser> user) {
        return files.computeIfAbsent(user, absent -> {
            try {
                Path made = Files.createTempFile("sandbox-", ".kubeconfig");
                undo.push(() -> delete(made));
                return Files.writeString(made, kubeconfig(user));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    /** @return a client of fabric8, whose type this class does not name */
    synchronized Object client(Optional<AsUser> user) {
        return clients.computeIfAbsent(user, absent -> {
            Object opened =
                    file.map(given -> Fabric8.client(given, user)).orElseGet(() -> Fabric8.client(kubeconfig(user)));
            undo.push(() -> Fabric8.close(opened));
            return opened;
        });
    }

    @Override
    public synchronized void close() {
        while (!undo.isEmpty()) {
            undo.pop().run();
        }
        sandbox.ifPresent(Sandbox::close);
    }

    private static void delete(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

package io.busbar.sandbox.testkit;

import io.busbar.sandbox.Sandbox;
import io.busbar.sandbox.clock.ManualClock;
import io.busbar.sandbox.faults.Faults;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Supplier;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolutionException;

/** What a parameter of a test gets. Any thread. */
@FunctionalInterface
interface Injection {

    /** @param namespace of the test, made when first asked for */
    Object from(TestServer server, Supplier<String> namespace);

    /** Empty for a parameter that is somebody else's. */
    static Optional<Injection> of(ParameterContext parameter) {
        Class<?> type = parameter.getParameter().getType();
        Optional<AsUser> user = parameter.findAnnotation(AsUser.class);
        boolean own = parameter.isAnnotated(TestNamespace.class);
        if (type.getName().equals(Fabric8.CLIENT)) {
            return Optional.of((server, namespace) ->
                    own ? Fabric8.inNamespace(server.client(user), namespace.get()) : server.client(user));
        }
        if (parameter.isAnnotated(Kubeconfig.class)) {
            return type == Path.class
                    ? Optional.of((server, namespace) -> server.kubeconfigFile(user))
                    : type == String.class
                            ? Optional.of((server, namespace) -> server.kubeconfig(user))
                            : Optional.empty();
        }
        if (own && type == String.class) {
            return Optional.of((server, namespace) -> namespace.get());
        }
        if (type == Sandbox.class) {
            return Optional.of((server, namespace) -> server.sandbox());
        }
        if (type == Faults.class) {
            return Optional.of((server, namespace) -> server.sandbox().faults());
        }
        return type == ManualClock.class ? Optional.of((server, namespace) -> clock(server)) : Optional.empty();
    }

    private static ManualClock clock(TestServer server) {
        return server.options()
                .clock()
                .orElseThrow(() -> new ParameterResolutionException(
                        "this sandbox goes by the system's time: set manualClock of @KubernetesSandbox, or withClock"));
    }
}

package io.busbar.sandbox.testkit;

import io.busbar.sandbox.Sandbox;
import io.busbar.sandbox.clock.ManualClock;
import io.busbar.sandbox.faults.Faults;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolutionException;

/** What a parameter of a test gets. Any thread. */
@FunctionalInterface
interface Injection {

    Object from(ClassSandbox sandbox);

    /** Empty for a parameter that is somebody else's. */
    static Optional<Injection> of(ParameterContext parameter) {
        Class<?> type = parameter.getParameter().getType();
        if (parameter.isAnnotated(Kubeconfig.class)) {
            return type == Path.class
                    ? Optional.of(ClassSandbox::kubeconfig)
                    : type == String.class ? Optional.of(own -> own.sandbox().kubeconfig()) : Optional.empty();
        }
        if (type == Sandbox.class) {
            return Optional.of(ClassSandbox::sandbox);
        }
        if (type == Faults.class) {
            return Optional.of(own -> own.sandbox().faults());
        }
        if (type == ManualClock.class) {
            return Optional.of(Injection::clock);
        }
        return type.getName().equals(Fabric8.CLIENT) ? Optional.of(ClassSandbox::client) : Optional.empty();
    }

    private static ManualClock clock(ClassSandbox own) {
        return own.options()
                .clock()
                .orElseThrow(() -> new ParameterResolutionException(
                        "this sandbox goes by the system's time: set manualClock of @KubernetesSandbox, or withClock"));
    }
}

package io.busbar.sandbox.testkit;

import io.busbar.sandbox.Sandbox;
import io.busbar.sandbox.clock.ManualClock;
import io.busbar.sandbox.faults.Faults;
import java.io.File;
import java.lang.reflect.Executable;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExtensionContext;

/** How a run of tests is told to use a cluster that is there in place of sandboxes. Any thread. */
public final class ExistingCluster {

    /** A system property, or parameter of JUnit: set to {@code true}, tests run against a cluster that is there. */
    public static final String PROPERTY = "busbar.useExistingCluster";

    /** The path of the kubeconfig of that cluster; that of the environment variable of this name, if not set. */
    public static final String KUBECONFIG = "busbar.kubeconfig";

    private static final Set<Class<?>> OF_SANDBOX = Set.of(Sandbox.class, Faults.class, ManualClock.class);

    private ExistingCluster() {}

    /** @throws IllegalArgumentException when the property says neither yes nor no */
    public static boolean isWanted(ExtensionContext context) {
        String value =
                context.getConfigurationParameter(PROPERTY).map(String::trim).orElse("");
        if (!Set.of("true", "false", "").contains(value)) {
            throw new IllegalArgumentException(PROPERTY + ": '" + value + "', allowed: true, false");
        }
        return value.equals("true");
    }

    /** @throws IllegalStateException when there is no such file */
    public static File kubeconfig(ExtensionContext context) {
        File file = context.getConfigurationParameter(KUBECONFIG)
                .or(() -> Optional.ofNullable(System.getenv("KUBECONFIG"))
                        .map(paths -> paths.split(File.pathSeparator, 2)[0]))
                .filter(path -> !path.isBlank())
                .map(File::new)
                .orElseGet(() -> new File(System.getProperty("user.home"), ".kube/config"));
        if (!file.isFile()) {
            throw new IllegalStateException("the tests are to run on a cluster, but there is no kubeconfig at " + file
                    + ": set the environment variable KUBECONFIG, or " + KUBECONFIG + ", to the path of one");
        }
        return file;
    }

    /**
     * Whether a test, or a class, can do without what only a sandbox has.
     *
     * @param clock whether the class moves the time
     */
    public static ConditionEvaluationResult canRun(ExtensionContext context, boolean clock) {
        Optional<Method> test = context.getTestMethod();
        List<Executable> asking = new ArrayList<>(test.stream().toList());
        for (Class<?> tests = context.getRequiredTestClass(); tests != null; tests = tests.getEnclosingClass()) {
            asking.addAll(Arrays.asList(tests.getDeclaredConstructors()));
            for (@Nullable Class<?> type = tests; type != null; type = type.getSuperclass()) {
                Stream.of(type.getDeclaredMethods())
                        .filter(method -> test.isPresent() ? isForEach(method) : isForAll(method))
                        .forEach(asking::add);
            }
        }
        return asking.stream()
                .flatMap(executable -> Stream.of(executable.getParameterTypes()))
                .filter(OF_SANDBOX::contains)
                .map(Class::getSimpleName)
                .findFirst()
                .or(() -> clock ? Optional.of("ManualClock") : Optional.empty())
                .map(type -> ConditionEvaluationResult.disabled(
                        "only a sandbox has " + type + ", and this is to run on a cluster that is there"))
                .orElseGet(() -> ConditionEvaluationResult.enabled("any cluster can do it"));
    }

    private static boolean isForAll(Method method) {
        return method.isAnnotationPresent(BeforeAll.class) || method.isAnnotationPresent(AfterAll.class);
    }

    private static boolean isForEach(Method method) {
        return method.isAnnotationPresent(BeforeEach.class) || method.isAnnotationPresent(AfterEach.class);
    }
}

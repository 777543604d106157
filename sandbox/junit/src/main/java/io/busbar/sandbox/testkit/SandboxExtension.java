package io.busbar.sandbox.testkit;

import io.busbar.sandbox.SandboxOptions;
import io.busbar.sandbox.clock.ManualClock;
import io.vertx.core.Vertx;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterTestExecutionCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.Store;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolutionException;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Starts a sandbox for a test class, and hands out what belongs to it; see {@link KubernetesSandbox}.
 *
 * <p>To be registered in a static field where the annotation does not do:
 *
 * <pre>
 *   {@literal @}RegisterExtension
 *   static final SandboxExtension SANDBOX = SandboxExtension.with(SandboxOptions.defaults().withTls(false)).on(() ->
 * VERTX);
 * </pre>
 *
 * Immutable; any thread.
 */
public final class SandboxExtension
        implements ExecutionCondition, BeforeAllCallback, AfterTestExecutionCallback, ParameterResolver {

    private static final Namespace NAMESPACE = Namespace.create(SandboxExtension.class);
    /** Of 63 that a name may have, and 6 that make it unique. */
    private static final int LONGEST = 50;

    private final Optional<SandboxOptions> options;
    private final Optional<Supplier<Vertx>> vertx;

    /** For {@link KubernetesSandbox}, which tells the options. */
    public SandboxExtension() {
        this(Optional.empty(), Optional.empty());
    }

    private SandboxExtension(Optional<SandboxOptions> options, Optional<Supplier<Vertx>> vertx) {
        this.options = options;
        this.vertx = vertx;
    }

    /** For a server with these options. */
    public static SandboxExtension with(SandboxOptions options) {
        return new SandboxExtension(Optional.of(options), Optional.empty());
    }

    /** Runs the server on a Vertx of the test's own, which is not closed. */
    public SandboxExtension on(Supplier<Vertx> value) {
        return new SandboxExtension(options, Optional.of(value));
    }

    /** A name for a namespace that nobody has, beginning with that of a test. */
    public static String namespaceFor(String test) {
        String slug = test.replaceAll("([a-z0-9])([A-Z])", "$1-$2")
                .replaceAll("[^A-Za-z0-9]+", "-")
                .replaceAll("^-+", "")
                .toLowerCase(Locale.ROOT);
        String begin = slug.isEmpty() ? "test" : slug.substring(0, Math.min(LONGEST, slug.length()));
        return begin.replaceAll("-+$", "") + "-" + UUID.randomUUID().toString().substring(0, 5);
    }

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        return context.getTestClass().isPresent() && onCluster(context)
                ? ExistingCluster.canRun(context, options(context).clock().isPresent())
                : ConditionEvaluationResult.enabled("a sandbox can do it");
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        stored(context, Prepared.class, absent -> prepare(context));
    }

    /** That a class has the objects which it names. */
    private record Prepared(Class<?> by) {}

    private Prepared prepare(ExtensionContext context) {
        TestServer server = server(context);
        Class<?> test = context.getRequiredTestClass();
        KubernetesSandbox wanted = annotation(test);
        if (wanted != null) {
            List<Manifest> definitions = read(wanted.crds(), test);
            List<Manifest> others = read(wanted.manifests(), test);
            definitions.stream().filter(manifest -> !manifest.isDefinition()).forEach(manifest -> {
                throw manifest.problem("crds of @KubernetesSandbox takes CRDs alone, manifests takes anything");
            });
            definitions.forEach(manifest -> server.objects().apply(manifest));
            others.forEach(manifest -> server.objects().apply(manifest));
        }
        return new Prepared(test);
    }

    private static List<Manifest> read(String[] locations, Class<?> test) {
        return Stream.of(locations)
                .flatMap(location -> Manifest.read(location, test).stream())
                .toList();
    }

    /** So that what a test's constructor gets is the test's own. */
    @Override
    public ExtensionContextScope getTestInstantiationExtensionContextScope(ExtensionContext root) {
        return ExtensionContextScope.TEST_METHOD;
    }

    @Override
    public void afterTestExecution(ExtensionContext context) {
        if (context.getExecutionException().isPresent()) {
            server(context).report().ifPresent(report -> context.publishReportEntry("sandbox", report));
        }
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return Injection.of(parameter).isPresent();
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return Injection.of(parameter)
                .orElseThrow(() -> new ParameterResolutionException("nothing to inject: " + parameter))
                .from(server(context), () -> namespace(context));
    }

    /** A namespace that goes with its test. */
    private record OwnNamespace(ClusterObjects objects, String name) implements AutoCloseable {
        @Override
        public void close() {
            objects.leaveNamespace(name);
        }
    }

    private String namespace(ExtensionContext context) {
        Method test = context.getTestMethod()
                .orElseThrow(
                        () -> new ParameterResolutionException(
                                "a namespace is of one test: ask for it in a test, in a"
                                        + " method that runs before each, or in the constructor of a class with an instance for each"));
        return stored(context, OwnNamespace.class, absent -> {
                    String name = namespaceFor(test.getName());
                    ClusterObjects objects = server(context).objects();
                    objects.makeNamespace(name);
                    return new OwnNamespace(objects, name);
                })
                .name();
    }

    private boolean onCluster(ExtensionContext context) {
        KubernetesSandbox wanted = annotation(context.getRequiredTestClass());
        return ExistingCluster.isWanted(context)
                || (wanted != null && wanted.backend() == KubernetesSandbox.Backend.CLUSTER);
    }

    /** Of the class; or of the whole run, for a cluster that is there. */
    private TestServer server(ExtensionContext context) {
        if (onCluster(context)) {
            return stored(
                    context.getRoot(),
                    TestServer.class,
                    first -> TestServer.existing(ExistingCluster.kubeconfig(context)));
        }
        return stored(
                context, TestServer.class, absent -> TestServer.sandbox(vertx.map(Supplier::get), options(context)));
    }

    @SuppressWarnings("deprecation") // The name that JUnit 5 has for it too.
    private static <T> T stored(ExtensionContext context, Class<T> type, Function<Class<T>, T> make) {
        Store store = context.getStore(NAMESPACE);
        return Objects.requireNonNull(store.getOrComputeIfAbsent(type, make, type));
    }

    private SandboxOptions options(ExtensionContext context) {
        return options.orElseGet(() -> annotated(context));
    }

    private static SandboxOptions annotated(ExtensionContext context) {
        KubernetesSandbox wanted = annotation(context.getRequiredTestClass());
        if (wanted == null) {
            return SandboxOptions.defaults();
        }
        SandboxOptions plain = SandboxOptions.defaults()
                .withNodes(wanted.nodes())
                .withKubelet(wanted.kubelet())
                .withTls(wanted.tls())
                .withRbac(wanted.rbac());
        SandboxOptions versioned = wanted.version().isEmpty() ? plain : plain.withVersion(wanted.version());
        return wanted.manualClock() ? versioned.withClock(ManualClock.atNow()) : versioned;
    }

    /** Of the class, or of the one that it is nested in. */
    private static @Nullable KubernetesSandbox annotation(Class<?> testClass) {
        for (Class<?> type = testClass; type != null; type = type.getEnclosingClass()) {
            KubernetesSandbox annotation = type.getAnnotation(KubernetesSandbox.class);
            if (annotation != null) {
                return annotation;
            }
        }
        return null;
    }
}

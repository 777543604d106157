package io.busbar.sandbox.testkit;

import io.busbar.sandbox.SandboxOptions;
import io.busbar.sandbox.clock.ManualClock;
import io.vertx.core.Vertx;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterTestExecutionCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
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
 *   static final SandboxExtension SANDBOX = SandboxExtension.with(SandboxOptions.defaults().withTls(false)).on(() -> VERTX);
 * </pre>
 *
 * Immutable; any thread.
 */
public final class SandboxExtension implements BeforeAllCallback, AfterTestExecutionCallback, ParameterResolver {

    private static final Namespace NAMESPACE = Namespace.create(SandboxExtension.class);

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

    /** Runs the server on a Vertx of the test's own, which is not closed; otherwise all classes of a run share one. */
    public SandboxExtension on(Supplier<Vertx> value) {
        return new SandboxExtension(options, Optional.of(value));
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        ofClass(context);
    }

    @Override
    public void afterTestExecution(ExtensionContext context) {
        context.getExecutionException().ifPresent(failure -> {
            String report = ofClass(context).report();
            context.publishReportEntry("sandbox", report);
        });
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return Injection.of(parameter).isPresent();
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return Injection.of(parameter)
                .orElseThrow(() -> new ParameterResolutionException("nothing to inject: " + parameter))
                .from(ofClass(context));
    }

    private ClassSandbox ofClass(ExtensionContext context) {
        return stored(
                context,
                ClassSandbox.class,
                absent -> ClassSandbox.start(
                        vertx.map(Supplier::get)
                                .orElseGet(
                                        () -> stored(context.getRoot(), SharedVertx.class, first -> new SharedVertx())
                                                .vertx()),
                        options.orElseGet(() -> annotated(context))));
    }

    @SuppressWarnings("deprecation") // The name that JUnit 5 has for it too.
    private static <T> T stored(ExtensionContext context, Class<T> type, Function<Class<T>, T> make) {
        Store store = context.getStore(NAMESPACE);
        return Objects.requireNonNull(store.getOrComputeIfAbsent(type, make, type));
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

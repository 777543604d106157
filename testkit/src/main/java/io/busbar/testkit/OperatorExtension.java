package io.busbar.testkit;

import io.busbar.runtime.bundle.Bundle;
import io.busbar.runtime.bundle.OperatorDefinition;
import io.busbar.sandbox.Sandbox;
import io.busbar.sandbox.SandboxOptions;
import io.busbar.sandbox.clock.ManualClock;
import io.busbar.sandbox.faults.Faults;
import io.busbar.sandbox.testkit.ExistingCluster;
import io.busbar.sandbox.testkit.TestNamespace;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.vertx.core.Vertx;
import java.lang.reflect.Constructor;
import java.lang.reflect.Parameter;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.Store;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolutionException;
import org.junit.jupiter.api.extension.ParameterResolver;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/**
 * Runs an operator for a test class, and hands out what belongs to it; see {@link OperatorTest}.
 *
 * <p>To be registered in a static field where the annotation does not do:
 *
 * <pre>{@code
 * @RegisterExtension
 * static final OperatorExtension OPERATOR = OperatorExtension.running(new ShopBundle(prices)).on(SandboxOptions.defaults().withRbac(true));
 * }</pre>
 *
 * Immutable; any thread.
 */
public final class OperatorExtension
        implements ExecutionCondition, BeforeAllCallback, BeforeEachCallback, AfterEachCallback, ParameterResolver {

    private static final Namespace NAMESPACE = Namespace.create(OperatorExtension.class);
    private static final Set<Class<?>> OF_SANDBOX = Set.of(Sandbox.class, Faults.class, ManualClock.class);

    private final Optional<OperatorDefinition> definition;
    private final Optional<SandboxOptions> options;

    /** For {@link OperatorTest}, which tells all. */
    public OperatorExtension() {
        this(Optional.empty(), Optional.empty());
    }

    private OperatorExtension(Optional<OperatorDefinition> definition, Optional<SandboxOptions> options) {
        this.definition = definition;
        this.options = options;
    }

    /** For an operator of these bundles, called as the first of them. */
    public static OperatorExtension running(Bundle first, Bundle... more) {
        return running(OperatorDefinition.of(first, more));
    }

    /** For an operator with a name of its own. */
    public static OperatorExtension running(OperatorDefinition definition) {
        return new OperatorExtension(Optional.of(definition), Optional.empty());
    }

    /** On a sandbox with these options. */
    public OperatorExtension on(SandboxOptions value) {
        return new OperatorExtension(definition, Optional.of(value));
    }

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        Class<?> tests = context.getTestClass().orElse(null);
        if (tests == null || !ExistingCluster.isWanted(context)) {
            return ConditionEvaluationResult.enabled("a sandbox can do it");
        }
        boolean clock = options.flatMap(SandboxOptions::clock).isPresent()
                || annotation(tests).filter(OperatorTest::manualClock).isPresent();
        return ExistingCluster.canRun(context, clock);
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        bed(context);
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        scope(context);
    }

    @Override
    public void afterEach(ExtensionContext context) {
        context.getExecutionException().ifPresent(failure -> {
            String report = scope(context).report();
            int before = failure.getSuppressed().length;
            failure.addSuppressed(new WhatHappened(report));
            if (failure.getSuppressed().length == before) { // as with failures of Vert.x that have no stack trace
                System.err.println(context.getDisplayName() + " has failed: " + failure.getMessage() + "\n" + report);
            }
            context.publishReportEntry("operator", report);
        });
    }

    /** So that what a test's constructor gets is the test's own. */
    @Override
    public ExtensionContextScope getTestInstantiationExtensionContextScope(ExtensionContext root) {
        return ExtensionContextScope.TEST_METHOD;
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        Parameter asked = parameter.getParameter();
        Class<?> type = asked.getType();
        return type == KubernetesClient.class
                || type == RunningOperator.class
                || (type == String.class && asked.isAnnotationPresent(TestNamespace.class))
                || OF_SANDBOX.contains(type);
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        Class<?> type = parameter.getParameter().getType();
        OperatorBed bed = bed(context);
        boolean ofTest = context.getTestMethod().isPresent();
        if (type == KubernetesClient.class) {
            return ofTest ? scope(context).client() : bed.client();
        }
        if (type == RunningOperator.class) {
            return bed.operator();
        }
        if (type == String.class) {
            if (!ofTest) {
                throw new ParameterResolutionException("a namespace is of one test: ask for it in a test, in a method"
                        + " that runs before each, or in the constructor of a class with an instance for each");
            }
            return scope(context).namespace();
        }
        TestCluster cluster = bed.cluster();
        Sandbox sandbox = cluster.sandbox()
                .orElseThrow(() -> new ParameterResolutionException("only a sandbox has " + type.getSimpleName()));
        if (type == ManualClock.class) {
            return cluster.clock()
                    .orElseThrow(() -> new ParameterResolutionException(
                            "this sandbox goes by the system's time: set manualClock of @OperatorTest, or withClock"));
        }
        return type == Faults.class ? sandbox.faults() : sandbox;
    }

    private TestScope scope(ExtensionContext context) {
        return stored(
                context,
                TestScope.class,
                TestScope.class,
                () -> TestScope.begin(bed(context), context.getRequiredTestClass()));
    }

    /** Of the class; on a cluster that is there, of all classes that run the same on it. */
    private OperatorBed bed(ExtensionContext context) {
        if (ExistingCluster.isWanted(context)) {
            return stored(
                    context.getRoot(),
                    definition.<Object>map(own -> own).orElseGet(() -> sameOperator(context)),
                    OperatorBed.class,
                    () -> OperatorBed.start(
                            TestCluster.existing(ExistingCluster.kubeconfig(context)), definition(context)));
        }
        return stored(
                context,
                OperatorBed.class,
                OperatorBed.class,
                () -> OperatorBed.start(
                        TestCluster.sandbox(vertx(context), sandboxOptions(context)), definition(context)));
    }

    private static Object sameOperator(ExtensionContext context) {
        OperatorTest declared = declared(context);
        return List.of(List.of(declared.bundles()), List.of(declared.flags()));
    }

    /** One for all sandboxes of a run: an event loop for each is enough. */
    private static Vertx vertx(ExtensionContext context) {
        return stored(context.getRoot(), SandboxVertx.class, SandboxVertx.class, () -> new SandboxVertx(Vertx.vertx()))
                .vertx();
    }

    private record SandboxVertx(Vertx vertx) implements AutoCloseable {
        @Override
        public void close() {
            TestCluster.await(vertx.close());
        }
    }

    @SuppressWarnings("deprecation") // The name that JUnit 5 has for it too.
    private static <T> T stored(ExtensionContext context, Object key, Class<T> type, Supplier<T> make) {
        Store store = context.getStore(NAMESPACE);
        return Objects.requireNonNull(store.getOrComputeIfAbsent(key, absent -> make.get(), type));
    }

    private OperatorDefinition definition(ExtensionContext context) {
        return definition.orElseGet(() -> declaredOperator(declared(context)));
    }

    private static OperatorDefinition declaredOperator(OperatorTest declared) {
        List<Bundle> bundles =
                Stream.of(declared.bundles()).map(OperatorExtension::made).toList();
        if (bundles.isEmpty()) {
            throw new IllegalArgumentException("@OperatorTest names no bundles; allowed: one or more");
        }
        CommandSpec flags = CommandSpec.create();
        bundles.forEach(bundle ->
                bundle.flags().ifPresent(own -> flags.addMixin(bundle.name(), CommandSpec.forAnnotatedObject(own))));
        new CommandLine(flags).parseArgs(declared.flags());
        return OperatorDefinition.of(
                bundles.get(0), bundles.subList(1, bundles.size()).toArray(Bundle[]::new));
    }

    private static Bundle made(Class<? extends Bundle> type) {
        try {
            Constructor<? extends Bundle> constructor = type.getDeclaredConstructor();
            constructor.setAccessible(true);
            return constructor.newInstance();
        } catch (ReflectiveOperationException failure) {
            throw new IllegalArgumentException(
                    "cannot make the bundle " + type.getName() + " of @OperatorTest: " + failure
                            + "; allowed: a class with a constructor without parameters, or an OperatorExtension"
                            + " that is given the bundle",
                    failure);
        }
    }

    private SandboxOptions sandboxOptions(ExtensionContext context) {
        return options.orElseGet(() -> annotation(context.getRequiredTestClass())
                .map(OperatorExtension::sandboxOptions)
                .orElseGet(SandboxOptions::defaults));
    }

    private static SandboxOptions sandboxOptions(OperatorTest declared) {
        SandboxOptions plain = SandboxOptions.defaults()
                .withNodes(declared.nodes())
                .withKubelet(declared.kubelet())
                .withControllers(declared.controllers());
        SandboxOptions versioned = declared.version().isEmpty() ? plain : plain.withVersion(declared.version());
        return declared.manualClock() ? versioned.withClock(ManualClock.atNow()) : versioned;
    }

    private static OperatorTest declared(ExtensionContext context) {
        Class<?> tests = context.getRequiredTestClass();
        return annotation(tests)
                .orElseThrow(
                        () -> new IllegalStateException(
                                tests.getName()
                                        + " has no @OperatorTest, and its OperatorExtension names no bundles: use OperatorExtension.running"));
    }

    /** Of the class, or of the one that it is nested in. */
    private static Optional<OperatorTest> annotation(Class<?> tests) {
        for (@Nullable Class<?> type = tests; type != null; type = type.getEnclosingClass()) {
            OperatorTest annotation = type.getAnnotation(OperatorTest.class);
            if (annotation != null) {
                return Optional.of(annotation);
            }
        }
        return Optional.empty();
    }
}

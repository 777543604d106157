package io.busbar.cel;

import com.google.common.base.Suppliers;
import com.google.common.collect.ImmutableList;
import dev.cel.common.CelOptions;
import dev.cel.common.types.CelType;
import dev.cel.common.types.CelTypeProvider;
import dev.cel.common.values.CelValueProvider;
import dev.cel.compiler.CelCompiler;
import dev.cel.compiler.CelCompilerBuilder;
import dev.cel.compiler.CelCompilerFactory;
import dev.cel.compiler.CelCompilerLibrary;
import dev.cel.extensions.CelExtensions;
import dev.cel.parser.CelStandardMacro;
import dev.cel.runtime.CelRuntime;
import dev.cel.runtime.CelRuntimeBuilder;
import dev.cel.runtime.CelRuntimeFactory;
import dev.cel.runtime.CelRuntimeLibrary;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * What expressions can call beside CEL itself: its strings, sets, optional values, bindings and two-variable macros,
 * the functions of Kubernetes, and what was added to them.
 *
 * <p>Immutable. What it takes to evaluate is made when the first expression is compiled.
 */
public final class Dialect {

    /** What both the compiler and the runtime take. */
    public static final CelOptions OPTIONS = CelOptions.current()
            .enableOptionalSyntax(true)
            .enableHeterogeneousNumericComparisons(true)
            .build();

    /** The objects that expressions can make. */
    private record Making(CelTypeProvider types, CelValueProvider values) {}

    private final ImmutableList<CelCompilerLibrary> compiling;
    private final ImmutableList<CelRuntimeLibrary> running;
    private final Optional<Making> making;
    private final Supplier<CelRuntime> runtime = Suppliers.memoize(this::start);

    private Dialect(
            ImmutableList<CelCompilerLibrary> compiling,
            ImmutableList<CelRuntimeLibrary> running,
            Optional<Making> making) {
        this.compiling = compiling;
        this.running = running;
        this.making = making;
    }

    /** CEL with what Kubernetes adds to it. */
    public static Dialect of(KubernetesLibrary functions) {
        return new Dialect(ImmutableList.of(CelExtensions.bindings()), ImmutableList.of(), Optional.empty())
                .with(CelExtensions.strings())
                .with(CelExtensions.sets(OPTIONS))
                .with(CelExtensions.optional())
                .with(CelExtensions.comprehensions())
                .with(functions);
    }

    /** The same with the functions of one library more. */
    public <L extends CelCompilerLibrary & CelRuntimeLibrary> Dialect with(L library) {
        return with(library, library);
    }

    /**
     * The same with more functions.
     *
     * @param declared what the compiler knows of them
     * @param bound what they do
     */
    public Dialect with(CelCompilerLibrary declared, CelRuntimeLibrary... bound) {
        return new Dialect(
                ImmutableList.<CelCompilerLibrary>builder()
                        .addAll(compiling)
                        .add(declared)
                        .build(),
                ImmutableList.<CelRuntimeLibrary>builder()
                        .addAll(running)
                        .add(bound)
                        .build(),
                making);
    }

    /** The same, whose expressions can make objects of these types. */
    public Dialect making(CelTypeProvider types, CelValueProvider values) {
        return new Dialect(compiling, running, Optional.of(new Making(types, values)));
    }

    CelCompiler compiler(CelTypeProvider types, Map<String, CelType> variables) {
        CelCompilerBuilder builder = CelCompilerFactory.standardCelCompilerBuilder()
                .setOptions(OPTIONS)
                .setStandardMacros(CelStandardMacro.STANDARD_MACROS)
                .setTypeProvider(types)
                .addLibraries(compiling);
        variables.forEach(builder::addVar);
        return builder.build();
    }

    CelRuntime runtime() {
        return runtime.get();
    }

    private CelRuntime start() {
        CelRuntimeBuilder builder = CelRuntimeFactory.plannerRuntimeBuilder()
                .setOptions(OPTIONS)
                .setStandardFunctions(TextConversions.standardFunctions())
                .addLibraries(running);
        making.ifPresent(made -> builder.setTypeProvider(made.types()).setValueProvider(made.values()));
        return builder.build();
    }
}

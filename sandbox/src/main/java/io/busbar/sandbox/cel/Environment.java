package io.busbar.sandbox.cel;

import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.CelOptions;
import dev.cel.common.CelValidationException;
import dev.cel.common.CelValidationResult;
import dev.cel.common.types.CelType;
import dev.cel.common.types.CelTypeProvider;
import dev.cel.compiler.CelCompiler;
import dev.cel.compiler.CelCompilerBuilder;
import dev.cel.compiler.CelCompilerFactory;
import dev.cel.extensions.CelExtensions;
import dev.cel.parser.CelStandardMacro;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelRuntime;
import dev.cel.runtime.CelRuntimeFactory;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * Compiles expressions over variables of given types.
 *
 * <p>Immutable. The first one in a JVM takes half a second, for CEL to be loaded: see {@link Loading}.
 */
final class Environment {

    private static final CelOptions OPTIONS = CelOptions.current()
            .enableOptionalSyntax(true)
            .enableHeterogeneousNumericComparisons(true)
            .build();

    /** What CEL for Java says more than CEL for Go. */
    private static final Pattern CANDIDATES = Pattern.compile(" \\(candidates: .*\\)$", Pattern.MULTILINE);

    /** What CEL for Go says more than CEL for Java. */
    private static final Pattern SYNTAX = Pattern.compile(
            "^(ERROR: <input>:\\d+:\\d+: )"
                    + "(mismatched input|missing|token recognition error|no viable alternative|extraneous input)",
            Pattern.MULTILINE);

    /** What expressions can call, and the objects that they can make; made when the first is compiled. */
    private static final class Lazy {

        static final CelRuntime RUNTIME = CelRuntimeFactory.plannerRuntimeBuilder()
                .setOptions(OPTIONS)
                .addLibraries(
                        CelExtensions.strings(),
                        CelExtensions.sets(OPTIONS),
                        CelExtensions.optional(),
                        CelExtensions.comprehensions(),
                        KubernetesLibrary.INSTANCE)
                .setTypeProvider(MadeObjects.TYPES)
                .setValueProvider(MadeObjects::make)
                .build();
    }

    private final CelCompiler compiler;

    /** @param variables by name */
    Environment(CelTypeProvider types, Map<String, CelType> variables) {
        CelCompilerBuilder builder = CelCompilerFactory.standardCelCompilerBuilder()
                .setOptions(OPTIONS)
                .setStandardMacros(CelStandardMacro.STANDARD_MACROS)
                .setTypeProvider(types)
                .addLibraries(
                        CelExtensions.strings(),
                        CelExtensions.sets(OPTIONS),
                        CelExtensions.optional(),
                        CelExtensions.bindings(),
                        CelExtensions.comprehensions(),
                        KubernetesLibrary.INSTANCE);
        variables.forEach(builder::addVar);
        this.compiler = builder.build();
    }

    /** @throws CompilationException for an expression that is wrong, or does not come to that type */
    Expression compile(String text, CelType result, String otherwise) {
        return compile(text, type -> type.equals(result) ? "" : otherwise);
    }

    /** @param flaw what is wrong with the type that an expression comes to; empty for nothing */
    Expression compile(String text, Function<CelType, String> flaw) {
        CelValidationResult checked = compiler.compile(text);
        if (checked.hasError()) {
            String errors = CANDIDATES.matcher(checked.getErrorString()).replaceAll("");
            throw new CompilationException("compilation failed: "
                    + SYNTAX.matcher(errors).replaceAll("$1Syntax error: $2").replace("'%%'", "'%'"));
        }
        try {
            CelAbstractSyntaxTree tree = checked.getAst();
            String wrong = flaw.apply(tree.getResultType());
            if (!wrong.isEmpty()) {
                throw new CompilationException(wrong);
            }
            return new Expression(Lazy.RUNTIME.createProgram(tree), tree);
        } catch (CelValidationException | CelEvaluationException e) {
            throw new CompilationException("program instantiation failed: " + e.getMessage());
        }
    }
}

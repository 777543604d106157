package io.busbar.cel;

import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.CelIssue;
import dev.cel.common.CelValidationException;
import dev.cel.common.CelValidationResult;
import dev.cel.common.types.CelType;
import dev.cel.common.types.CelTypeProvider;
import dev.cel.compiler.CelCompiler;
import dev.cel.runtime.CelEvaluationException;
import io.busbar.cel.CompilationException.Flaw;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Compiles expressions over variables of given types.
 *
 * <p>Immutable. The first one in a JVM takes half a second, for CEL to be loaded.
 */
public final class Environment {

    /** What CEL for Java says more than CEL for Go. */
    private static final Pattern CANDIDATES = Pattern.compile(" \\(candidates: .*\\)$", Pattern.MULTILINE);

    /** What CEL for Go says more than CEL for Java. */
    private static final Pattern SYNTAX = Pattern.compile(
            "^(ERROR: <input>:\\d+:\\d+: )?"
                    + "(mismatched input|missing|token recognition error|no viable alternative|extraneous input)",
            Pattern.MULTILINE);

    private final Dialect dialect;
    private final CelCompiler compiler;

    /** @param variables by name */
    public Environment(Dialect dialect, CelTypeProvider types, Map<String, CelType> variables) {
        this.dialect = dialect;
        this.compiler = dialect.compiler(types, variables);
    }

    /** @throws CompilationException for an expression that is wrong, or does not come to that type */
    public Expression compile(String text, CelType result, String otherwise) {
        return compile(text, type -> type.equals(result) ? "" : otherwise);
    }

    /**
     * @param flaw what is wrong with the type that an expression comes to; empty for nothing
     * @throws CompilationException for an expression that is wrong
     */
    public Expression compile(String text, Function<CelType, String> flaw) {
        CelValidationResult checked = compiler.compile(text);
        if (checked.hasError()) {
            List<Flaw> flaws =
                    checked.getErrors().stream().map(Environment::flaw).toList();
            throw new CompilationException("compilation failed: " + goWords(checked.getErrorString()), flaws);
        }
        try {
            CelAbstractSyntaxTree tree = checked.getAst();
            String wrong = flaw.apply(tree.getResultType());
            if (!wrong.isEmpty()) {
                throw new CompilationException(wrong);
            }
            return new Expression(dialect.runtime().createProgram(tree), tree);
        } catch (CelValidationException | CelEvaluationException e) {
            throw new CompilationException("program instantiation failed: " + e.getMessage());
        }
    }

    /**
     * What an expression reads that it has not declared itself, also one that is of the wrong type; empty for one that
     * cannot be parsed. A namespace of functions may be among it.
     */
    public Set<String> names(String text) {
        CelValidationResult parsed = compiler.parse(text);
        try {
            return parsed.hasError()
                    ? Set.of()
                    : References.names(parsed.getAst().getExpr());
        } catch (CelValidationException e) {
            throw new IllegalStateException(text, e);
        }
    }

    private static Flaw flaw(CelIssue issue) {
        return new Flaw(
                issue.getSourceLocation().getLine(),
                issue.getSourceLocation().getColumn() + 1,
                goWords(issue.getMessage()));
    }

    static String goWords(String errors) {
        String shorter = CANDIDATES.matcher(errors).replaceAll("");
        return SYNTAX.matcher(shorter)
                .replaceAll(found -> (found.group(1) == null ? "" : Matcher.quoteReplacement(found.group(1)))
                        + "Syntax error: " + found.group(2))
                .replace("'%%'", "'%'");
    }
}

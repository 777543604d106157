package io.busbar.cel;

import dev.cel.common.CelValidationException;
import dev.cel.common.CelValidationResult;
import dev.cel.common.ast.CelExpr;
import dev.cel.parser.CelParser;
import dev.cel.parser.CelParserFactory;

/**
 * Reads expressions that are looked at and never evaluated. It knows no macros: {@code has(x)} is a call like any
 * other.
 *
 * <p>Any thread. The first one in a JVM takes some tenths of a second, for CEL's parser to be loaded.
 */
public final class Syntax {

    private static final CelParser PARSER =
            CelParserFactory.standardCelParserBuilder().build();

    private Syntax() {}

    /** @throws CompilationException with the first thing that is wrong, in the words of CEL for Go */
    public static CelExpr parse(String text) {
        CelValidationResult parsed = PARSER.parse(text);
        if (parsed.hasError()) {
            throw new CompilationException(
                    Environment.goWords(parsed.getErrors().get(0).getMessage()));
        }
        try {
            return parsed.getAst().getExpr();
        } catch (CelValidationException e) {
            throw new IllegalStateException(text, e);
        }
    }
}

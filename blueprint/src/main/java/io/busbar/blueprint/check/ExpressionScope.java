package io.busbar.blueprint.check;

import com.google.common.base.Suppliers;
import dev.cel.common.types.CelType;
import dev.cel.extensions.CelExtensions;
import io.busbar.blueprint.source.Place;
import io.busbar.blueprint.source.Problems;
import io.busbar.blueprint.source.Shown;
import io.busbar.blueprint.types.Shape;
import io.busbar.blueprint.types.ShapeTypes;
import io.busbar.cel.CompilationException;
import io.busbar.cel.CompilationException.Flaw;
import io.busbar.cel.Dialect;
import io.busbar.cel.Environment;
import io.busbar.cel.KubernetesLibrary;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * What the expressions of one place may refer to.
 *
 * <p>One thread.
 */
final class ExpressionScope {

    private static final Dialect DIALECT = dialect(KroFunctions.library());
    private static final Dialect OF_TEMPLATES = dialect(KroFunctions.ofTemplates());
    private static final Dialect OF_CONDITIONS = ofConditionFunctions();
    private static final Pattern UNKNOWN = Pattern.compile("undeclared reference to '([^']+)'.*", Pattern.DOTALL);
    /** How types are called inside: that a value may be absent, and that a name is no variable. */
    private static final Pattern INNER = Pattern.compile("\\bwrapper\\((\\w+)\\)|\\$(?=[A-Za-z])");

    private static final int LONGEST = 20_000;

    private final ShapeTypes types;
    private final Map<String, Shape> variables;
    private final Map<String, String> refused;
    private final Supplier<Environment> environment;
    private final Optional<ExpressionScope> ofParts;

    /**
     * @param variables what there is
     * @param refused why others cannot be referred to, by name
     */
    ExpressionScope(ShapeTypes types, Map<String, Shape> variables, Map<String, String> refused) {
        this(types, variables, refused, DIALECT, Optional.empty());
    }

    private ExpressionScope(
            ShapeTypes types,
            Map<String, Shape> variables,
            Map<String, String> refused,
            Dialect dialect,
            Optional<ExpressionScope> ofParts) {
        this.types = types;
        this.variables = new LinkedHashMap<>(variables);
        this.refused = Map.copyOf(refused);
        this.ofParts = ofParts;
        Map<String, CelType> known = new LinkedHashMap<>();
        variables.forEach((name, shape) -> known.put(name, types.type(shape)));
        this.environment = Suppliers.memoize(() -> new Environment(dialect, types, known));
    }

    private static Dialect dialect(KubernetesLibrary functions) {
        return BoundedLists.addTo(Dialect.of(functions))
                .with(CelExtensions.encoders(Dialect.OPTIONS))
                .with(CelExtensions.math());
    }

    private static Dialect ofConditionFunctions() {
        KubernetesLibrary functions = KroFunctions.library();
        return ConditionFunctions.addTo(dialect(functions), functions);
    }

    /** The same for a condition of the status. */
    ExpressionScope ofConditions() {
        Map<String, Shape> all = new LinkedHashMap<>(variables);
        all.put(ConditionFunctions.OWN, Shape.Scalar.ANY);
        types.type(ConditionFunctions.CONDITION);
        return new ExpressionScope(types, all, refused, OF_CONDITIONS, Optional.empty());
    }

    /** The same with variables more. */
    ExpressionScope with(Map<String, Shape> more) {
        Map<String, Shape> all = new LinkedHashMap<>(variables);
        all.putAll(more);
        return new ExpressionScope(types, all, refused);
    }

    /** The same for the fields of a template, which may be left out. */
    ExpressionScope ofTemplate() {
        return new ExpressionScope(types, variables, refused, OF_TEMPLATES, Optional.of(this));
    }

    /** The same for an expression that is a part of a field. */
    ExpressionScope ofParts() {
        return ofParts.orElse(this);
    }

    /** What an expression reads, as far as it can be parsed. */
    Set<String> names(String code) {
        return code.length() > LONGEST ? Set.of() : environment.get().names(code);
    }

    /**
     * Empty for an expression that is wrong.
     *
     * @param place of it
     * @param within the place of a character of it
     * @param flaw what is wrong with the type that it comes to; empty for nothing
     */
    Optional<Formula> compile(
            String code, Place place, IntFunction<Place> within, Function<CelType, String> flaw, Problems problems) {
        if (code.length() > LONGEST) {
            problems.add(place, "the expression is longer than " + LONGEST + " characters");
            return Optional.empty();
        }
        if (!variables.containsKey(ConditionFunctions.RUNTIME) && names(code).contains(ConditionFunctions.RUNTIME)) {
            problems.add(place, "'runtime' makes and reads conditions of the status; it is not allowed here");
            return Optional.empty();
        }
        try {
            return Optional.of(new Formula(code, place, environment.get().compile(code, type -> {
                String wrong = flaw.apply(type);
                return wrong.isEmpty() ? "" : Shown.quoted(code) + " " + wrong;
            })));
        } catch (CompilationException e) {
            for (Flaw each : e.flaws()) {
                problems.add(within.apply(offset(code, each)), message(code, each.message()));
            }
        } catch (StackOverflowError e) {
            problems.add(place, "the expression is nested too deeply");
        }
        return Optional.empty();
    }

    /** Of what is wrong, in the code, or at its end. */
    private static int offset(String code, Flaw flaw) {
        int line = 0;
        for (int i = 1; i < flaw.line() && code.indexOf('\n', line) >= 0; i++) {
            line = code.indexOf('\n', line) + 1;
        }
        int left = code.codePointCount(line, code.length());
        return code.offsetByCodePoints(line, Math.min(Math.max(0, flaw.column() - 1), left));
    }

    private String message(String code, String found) {
        String words = INNER.matcher(found).replaceAll(type -> type.group(1) == null ? "" : type.group(1));
        Matcher unknown = UNKNOWN.matcher(words);
        if (!unknown.matches()) {
            String quoted = Shown.quoted(code);
            return words.startsWith(quoted) ? words : quoted + ": " + words;
        }
        String name = unknown.group(1);
        if (name.equals(KroFunctions.OMIT)) {
            return "'omit()' leaves out a field of a template; it is not allowed here";
        }
        String why = refused.get(name);
        if (why != null) {
            return why;
        }
        if (Pattern.compile("\\b" + Pattern.quote(name) + "\\s*\\(")
                .matcher(code)
                .find()) {
            return "the function '" + name + "' is not known";
        }
        String allowed = variables.keySet().stream()
                .filter(variable -> !variable.equals(ConditionFunctions.OWN))
                .collect(Collectors.joining(", "));
        return "'" + name + "' is not known here; allowed: " + (allowed.isEmpty() ? "no variable" : allowed);
    }
}

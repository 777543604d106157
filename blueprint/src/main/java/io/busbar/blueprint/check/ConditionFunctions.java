package io.busbar.blueprint.check;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.google.common.collect.ImmutableList;
import dev.cel.common.ast.CelConstant;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.ast.CelExpr.ExprKind.Kind;
import dev.cel.common.navigation.CelNavigableAst;
import dev.cel.common.navigation.CelNavigableExpr;
import dev.cel.common.types.CelType;
import dev.cel.compiler.CelCompilerLibrary;
import dev.cel.parser.CelMacro;
import dev.cel.parser.CelMacroExprFactory;
import dev.cel.parser.CelParserBuilder;
import dev.cel.runtime.CelEvaluationException;
import io.busbar.blueprint.types.Shape;
import io.busbar.blueprint.types.Shape.ObjectOf;
import io.busbar.blueprint.types.Shape.Scalar;
import io.busbar.blueprint.types.ShapeTypes;
import io.busbar.blueprint.types.ShapeValues;
import io.busbar.cel.Dialect;
import io.busbar.cel.Expression;
import io.busbar.cel.KubernetesLibrary;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What kro has for conditions of the status, and for nothing else: {@code runtime.newCondition} makes one, and
 * {@code runtime.condition} finds one of an object, or with {@code schema} one of the operator's own.
 *
 * <p>Any thread.
 */
public final class ConditionFunctions implements CelCompilerLibrary {

    /** The variable that holds the operator's own conditions, as those of an object. */
    public static final String OWN = "@own";

    static final String RUNTIME = "runtime";

    /** What an expression of a condition comes to, alone or in a list. */
    static final Shape CONDITION = new ObjectOf(
            "Condition",
            () -> Map.of("type", Scalar.TEXT, "status", Scalar.TEXT, "reason", Scalar.TEXT, "message", Scalar.TEXT));

    private static final List<String> KEYS = List.of("type", "status", "reason", "message");
    private static final Set<String> REQUIRED = Set.of("type", "status");
    private static final List<String> STATUSES = List.of("True", "False", "Unknown");
    /** The operator's own, as kro calls its. */
    private static final List<String> OWN_TYPES =
            List.of("Ready", "InstanceManaged", "GraphResolved", "ResourcesReady");

    private static final String NEW = "runtime.newCondition";
    private static final String FIND = "runtime.condition";

    /** Adds them to the functions of a dialect. */
    static Dialect addTo(Dialect dialect, KubernetesLibrary functions) {
        CelType condition = new ShapeTypes().type(CONDITION);
        functions.type("Condition", condition, Map.class);
        functions.global("Condition " + NEW + "(string, string, string, string)", ConditionFunctions::made);
        functions.global("Condition " + FIND + "(dyn, string)", ConditionFunctions::found);
        return dialect.with(new ConditionFunctions());
    }

    @Override
    public void setParserOptions(CelParserBuilder parser) {
        parser.addMacros(
                CelMacro.newReceiverMacro("newCondition", 1, ConditionFunctions::expandNew),
                CelMacro.newReceiverMacro("condition", 2, ConditionFunctions::expandFind));
    }

    private static boolean isRuntime(CelExpr target) {
        return target.getKind() == Kind.IDENT && target.ident().name().equals(RUNTIME);
    }

    /** The keys may be written without quotes. */
    private static Optional<CelExpr> expandNew(
            CelMacroExprFactory factory, CelExpr target, ImmutableList<CelExpr> arguments) {
        if (!isRuntime(target)) {
            return Optional.empty();
        }
        if (arguments.get(0).getKind() != Kind.MAP) {
            return Optional.of(factory.reportError(NEW + " needs a map with the keys " + String.join(", ", KEYS)));
        }
        Map<String, CelExpr> values = new LinkedHashMap<>();
        for (CelExpr.CelMap.Entry entry : arguments.get(0).map().entries()) {
            String key = text(entry.key());
            if (!KEYS.contains(key) || values.put(key, entry.value()) != null) {
                return Optional.of(factory.reportError(
                        NEW + " has no key '" + key + "', or has it twice; allowed: " + String.join(", ", KEYS)));
            }
        }
        if (!values.keySet().containsAll(REQUIRED)) {
            return Optional.of(factory.reportError(NEW + " needs the keys type and status"));
        }
        CelExpr status = values.get("status");
        if (status != null && isText(status) && !STATUSES.contains(text(status))) {
            return Optional.of(factory.reportError(
                    "the status '" + text(status) + "' is not allowed; allowed: " + String.join(", ", STATUSES)));
        }
        return Optional.of(factory.newGlobalCall(
                NEW,
                KEYS.stream()
                        .map(key -> Optional.ofNullable(values.get(key)).orElseGet(() -> factory.newStringLiteral("")))
                        .toList()));
    }

    private static Optional<CelExpr> expandFind(
            CelMacroExprFactory factory, CelExpr target, ImmutableList<CelExpr> arguments) {
        if (!isRuntime(target)) {
            return Optional.empty();
        }
        CelExpr object = arguments.get(0);
        CelExpr type = arguments.get(1);
        boolean own = object.getKind() == Kind.IDENT && object.ident().name().equals("schema");
        if (own && isText(type) && !OWN_TYPES.contains(text(type))) {
            return Optional.of(factory.reportError(
                    "'" + text(type) + "' is no condition of the operator; allowed: " + String.join(", ", OWN_TYPES)));
        }
        return Optional.of(factory.newGlobalCall(FIND, own ? factory.newIdentifier(OWN) : object, type));
    }

    private static boolean isText(CelExpr part) {
        return part.getKind() == Kind.CONSTANT && part.constant().getKind() == CelConstant.Kind.STRING_VALUE;
    }

    /** Of a literal, or of a name that stands for one. */
    private static String text(CelExpr part) {
        if (part.getKind() == Kind.IDENT) {
            return part.ident().name();
        }
        return isText(part) ? part.constant().stringValue() : "";
    }

    /** The types that an expression makes conditions of, as far as it has them as literals. */
    static List<String> typesMade(Expression expression) {
        return literals(expression, NEW, 0).toList();
    }

    /** The types of which it reads the operator's own. */
    static List<String> typesRead(Expression expression) {
        return literals(expression, FIND, 1).toList();
    }

    private static Stream<String> literals(Expression expression, String function, int argument) {
        return CelNavigableAst.fromAst(expression.tree())
                .getRoot()
                .allNodes()
                .map(CelNavigableExpr::expr)
                .filter(part ->
                        part.getKind() == Kind.CALL && part.call().function().equals(function))
                .map(part -> part.call().args())
                .filter(arguments ->
                        !function.equals(FIND) || text(arguments.get(0)).equals(OWN))
                .map(arguments -> arguments.get(argument))
                .filter(ConditionFunctions::isText)
                .map(ConditionFunctions::text);
    }

    private static Object made(String type, String status, String reason, String message)
            throws CelEvaluationException {
        if (type.isBlank()) {
            throw new CelEvaluationException(NEW + ": the type must not be empty");
        }
        if (!STATUSES.contains(status)) {
            throw new CelEvaluationException(
                    NEW + ": the status '" + status + "' is not allowed; allowed: " + String.join(", ", STATUSES));
        }
        return condition(type, status, reason, message);
    }

    private static Object condition(String type, String status, String reason, String message) {
        return ShapeValues.of(
                JsonNodeFactory.instance
                        .objectNode()
                        .put("type", type)
                        .put("status", status)
                        .put("reason", reason)
                        .put("message", message),
                CONDITION);
    }

    /** One of nothing but empty texts where there is none. */
    private static Object found(Object object, String type) {
        Object conditions = field(field(object, "status"), "conditions");
        if (conditions instanceof List<?> list) {
            for (Object each : list) {
                if (type.equals(field(each, "type"))) {
                    return condition(
                            type,
                            String.valueOf(field(each, "status")),
                            String.valueOf(field(each, "reason")),
                            String.valueOf(field(each, "message")));
                }
            }
        }
        return condition("", "", "", "");
    }

    /** Empty where it is not there. */
    private static Object field(Object object, String name) {
        return object instanceof Map<?, ?> map
                ? Optional.<Object>ofNullable(map.get(name)).orElse("")
                : "";
    }
}

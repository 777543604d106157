package io.busbar.sandbox.cel;

import dev.cel.common.types.CelType;
import dev.cel.common.types.CelTypes;
import dev.cel.common.types.ListType;
import dev.cel.common.types.SimpleType;
import dev.cel.common.types.StructType;
import dev.cel.common.types.StructTypeReference;
import io.busbar.cel.CompilationException;
import io.busbar.cel.Environment;
import io.busbar.cel.Expression;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Compiles the expressions of one policy or webhook, about a write: {@code object}, {@code oldObject}, {@code request},
 * {@code namespaceObject}, {@code params}, {@code authorizer}, and the variables that were declared before.
 *
 * <p>One thread.
 */
public final class AdmissionCompiler {

    private static final String VARIABLES = "kubernetes.variables";

    /** What an expression may come to. */
    public enum Result {
        BOOL(SimpleType.BOOL),
        TEXT(SimpleType.STRING),
        TEXT_OR_NULL(SimpleType.STRING, SimpleType.NULL_TYPE),
        OBJECT(StructTypeReference.create(MadeObjects.ROOT)),
        PATCHES(ListType.create(StructTypeReference.create("JSONPatch"))),
        ANYTHING;

        @SuppressWarnings("ImmutableEnumChecker") // Made by List.of.
        private final List<CelType> types;

        Result(CelType... types) {
            this.types = List.of(types);
        }

        private String flaw(CelType found) {
            if (types.isEmpty() || types.stream().anyMatch(type -> named(type).equals(named(found)))) {
                return "";
            }
            return types.size() == 1
                    ? "must evaluate to " + named(types.get(0)) + " but got " + named(found)
                    : types.stream()
                            .map(Result::named)
                            .collect(Collectors.joining(" ", "must evaluate to one of [", "]"));
        }

        /** As CEL for Go prints types. */
        private static String named(CelType type) {
            return type.equals(SimpleType.NULL_TYPE) ? "null_type" : CelTypes.format(type);
        }
    }

    /** A variable of a policy: evaluated when it is first asked for. */
    record Variable(String name, Expression expression) {}

    private final Map<String, CelType> seen = new HashMap<>();
    private final Map<String, StructType> types = new HashMap<>();
    private final Map<String, CelType> declared = new LinkedHashMap<>();
    private final List<Variable> variables = new ArrayList<>();

    /** @param params whether there can be parameters */
    public AdmissionCompiler(boolean params) {
        seen.put("object", SimpleType.DYN);
        seen.put("oldObject", SimpleType.DYN);
        seen.put("request", StructTypeReference.create("kubernetes.AdmissionRequest"));
        seen.put("namespaceObject", StructTypeReference.create("kubernetes.Namespace"));
        if (params) {
            seen.put("params", SimpleType.DYN);
        }
    }

    /**
     * Knows the fields of the objects, which can otherwise have any.
     *
     * @param type of the model, such as {@code core.v1.Pod}
     */
    public AdmissionCompiler about(String type) {
        seen.put("object", StructTypeReference.create(type));
        seen.put("oldObject", StructTypeReference.create(type));
        return this;
    }

    /** Declares a variable, also one that does not compile. */
    public void tryDeclare(String name, String text) {
        try {
            declare(name, text);
        } catch (CompilationException e) {
            // It can be anything, as far as others know.
            seen.putIfAbsent("variables", SimpleType.DYN);
        }
    }

    /**
     * Declares a variable for the expressions to come. One that does not compile is declared nevertheless.
     *
     * @throws CompilationException when it is wrong
     */
    public void declare(String name, String text) {
        CelType type = SimpleType.DYN;
        try {
            Expression expression = compiled(text, Result.ANYTHING, true);
            type = expression.type();
            variables.add(new Variable(name, expression));
        } finally {
            declared.put(name, type);
            StructType all = MadeObjects.struct(VARIABLES, declared);
            types.put(VARIABLES, all);
            seen.put("variables", all);
        }
    }

    /**
     * Compiles an expression.
     *
     * @param authorizer whether it may ask what others may do
     * @throws CompilationException when it is wrong
     */
    public AdmissionExpression compile(String text, Result result, boolean authorizer) {
        return new AdmissionExpression(text, compiled(text, result, authorizer), List.copyOf(variables));
    }

    private Expression compiled(String text, Result result, boolean authorizer) {
        Map<String, CelType> visible = new HashMap<>(seen);
        if (authorizer) {
            visible.put("authorizer", AuthorizerFunctions.AUTHORIZER);
            visible.put("authorizer.requestResource", AuthorizerFunctions.RESOURCE_CHECK);
        }
        return new Environment(ServerFunctions.DIALECT, MadeObjects.provider(text, types), visible)
                .compile(text, result::flaw);
    }
}

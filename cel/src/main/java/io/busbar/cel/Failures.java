package io.busbar.cel;

import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.CelErrorCode;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.navigation.CelNavigableAst;
import dev.cel.common.types.CelKind;
import dev.cel.runtime.CelEvaluationException;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Why an expression could not be evaluated, in the words of CEL for Go, as far as they are known.
 *
 * <p>Any thread.
 */
final class Failures {

    private static final Pattern PLACE = Pattern.compile("^(?:evaluation error(?: at <input>:(?<at>\\d+))?: )+");
    private static final Pattern NO_KEY =
            Pattern.compile("(?:key|Error resolving field) '(.*)'(?: is not present in map)?\\..*");
    private static final Pattern INDEX =
            Pattern.compile("\\w+ failure: (?:Index out of range: |Offset out of range: |Range \\[)(-?\\d+).*");
    private static final Map<String, String> CONVERSIONS = Map.of(
            "int", "int",
            "uint", "uint",
            "double", "double",
            "bool", "bool",
            "timestamp", "google.protobuf.Timestamp",
            "duration", "google.protobuf.Duration");

    private Failures() {}

    static String words(CelAbstractSyntaxTree tree, CelEvaluationException failure) {
        String message = String.valueOf(failure.getMessage());
        Matcher place = PLACE.matcher(message);
        boolean placed = place.find();
        String plain = placed ? message.substring(place.end()) : message;
        String at = placed ? place.group("at") : null;
        CelExpr.CelCall call =
                at == null ? null : call(tree, Integer.parseInt(at)).orElse(null);
        String function = call == null ? "" : call.function();
        if (failure.getErrorCode() == CelErrorCode.ATTRIBUTE_NOT_FOUND) {
            return "no such key: " + NO_KEY.matcher(plain).replaceFirst("$1");
        }
        if (plain.startsWith("No matching overload")) {
            return "no such overload";
        }
        if (call != null && CONVERSIONS.containsKey(function)) {
            return tree.getType(call.args().get(0).id())
                            .filter(type -> type.kind() == CelKind.STRING)
                            .isPresent()
                    ? "type conversion error from 'string' to '" + CONVERSIONS.get(function) + "'"
                    : (function.equals("uint") ? "unsigned " : "") + "integer overflow";
        }
        return switch (plain) {
            case "/ by zero" -> function.equals("_%_") ? "modulus by zero" : "division by zero";
            case "long overflow" -> "integer overflow";
            case "Function 'value' failed with arg(s) 'Optional.empty'" -> "optional.none() dereference";
            default ->
                plain.startsWith("Index out of bounds")
                        ? "index out of bounds" + plain.substring("Index out of bounds".length())
                        : INDEX.matcher(plain).replaceFirst("index out of range: $1");
        };
    }

    private static Optional<CelExpr.CelCall> call(CelAbstractSyntaxTree tree, int offset) {
        Map<Long, Integer> positions = tree.getSource().getPositionsMap();
        return CelNavigableAst.fromAst(tree)
                .getRoot()
                .allNodes()
                .filter(node -> Integer.valueOf(offset).equals(positions.get(node.id())))
                .map(node -> node.expr().callOrDefault())
                .filter(call -> !call.function().isEmpty())
                .findFirst();
    }
}

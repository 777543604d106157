package io.busbar.sandbox.select;

import dev.cel.common.ast.CelConstant;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.ast.CelExpr.CelCall;
import dev.cel.common.ast.CelExpr.ExprKind.Kind;
import io.busbar.cel.CompilationException;
import io.busbar.cel.Syntax;
import io.busbar.sandbox.syntax.GoText;
import java.util.ArrayList;
import java.util.List;

/** Reads the ranges of shard selectors: CEL that is never evaluated. Complains as Kubernetes does. Any thread. */
final class ShardParser {

    /** In the order of CEL for Go, whose numbers are told. */
    private static final List<Kind> KINDS = List.of(
            Kind.NOT_SET,
            Kind.CALL,
            Kind.COMPREHENSION,
            Kind.IDENT,
            Kind.LIST,
            Kind.CONSTANT,
            Kind.MAP,
            Kind.SELECT,
            Kind.STRUCT);

    /** 2^64, which no hash comes up to. */
    private static final String BEYOND = "0x1" + "0".repeat(ShardRange.DIGITS);

    private ShardParser() {}

    /** At least one, all of the same field. */
    static List<ShardRange> parse(String text) {
        String stripped = text.strip();
        if (stripped.isEmpty()) {
            throw new SelectorException("empty shard selector is not allowed; omit the parameter for unfiltered lists");
        }
        List<ShardRange> ranges = new ArrayList<>();
        try {
            collect(Syntax.parse(stripped), ranges);
        } catch (CompilationException e) {
            throw new SelectorException("CEL parse error: " + e.getMessage());
        }
        String field = ranges.get(0).field();
        for (ShardRange range : ranges) {
            if (!range.field().equals(field)) {
                throw new SelectorException("all shard ranges must use the same field, got " + GoText.quote(field)
                        + " and " + GoText.quote(range.field()));
            }
        }
        return ranges;
    }

    private static void collect(CelExpr part, List<ShardRange> ranges) {
        if (part.getKind() != Kind.CALL) {
            throw new SelectorException("unexpected expression kind " + KINDS.indexOf(part.getKind())
                    + "; expected shardRange() call or || operator");
        }
        CelCall call = part.call();
        switch (call.function()) {
            case "_||_" -> call.args().forEach(side -> collect(side, ranges));
            case "shardRange" -> ranges.add(range(call.args()));
            default ->
                throw new SelectorException("unsupported function " + GoText.quote(call.function())
                        + "; only shardRange() and || are allowed");
        }
    }

    private static ShardRange range(List<CelExpr> arguments) {
        if (arguments.size() != 3) {
            throw new SelectorException("shardRange() requires exactly 3 arguments, got " + arguments.size());
        }
        String field = path(arguments.get(0));
        if (!field.equals(ShardRange.UID) && !field.equals(ShardRange.NAMESPACE)) {
            throw new SelectorException("unsupported field path " + GoText.quote(field) + "; supported: "
                    + ShardRange.UID + ", " + ShardRange.NAMESPACE);
        }
        return new ShardRange(field, bound(arguments.get(1), "hexStart"), bound(arguments.get(2), "hexEnd"));
    }

    private static String path(CelExpr part) {
        return switch (part.getKind()) {
            case IDENT -> part.ident().name();
            case SELECT -> path(part.select().operand()) + "." + part.select().field();
            default ->
                throw new SelectorException("shardRange() first argument: expected field path"
                        + " (e.g. object.metadata.uid), got expression kind " + KINDS.indexOf(part.getKind()));
        };
    }

    /** @param name of the argument, for the message */
    private static String bound(CelExpr part, String name) {
        String text = literal(part, name);
        if (!text.startsWith("0x")) {
            throw new SelectorException(name + " must have '0x' prefix, got " + GoText.quote(text));
        }
        String hex = text.substring(2);
        if (hex.isEmpty()) {
            throw new SelectorException(name + ": hex value is required after '0x'");
        }
        if (hex.length() > BEYOND.length() - 2) {
            throw new SelectorException(
                    name + ": hex value too long (" + hex.length() + " chars, max 17): " + GoText.quote(hex));
        }
        hex.codePoints()
                .filter(digit -> "0123456789abcdef".indexOf(digit) < 0)
                .findFirst()
                .ifPresent(other -> {
                    throw new SelectorException(name + ": invalid hex character "
                            + GoText.quote(Character.toString(other)) + " in " + GoText.quote(text));
                });
        if (hex.length() > ShardRange.DIGITS && !text.equals(BEYOND)) {
            throw new SelectorException(
                    name + ": 17-digit hex value must be '" + BEYOND + "' (2^64), got " + GoText.quote(text));
        }
        if (hex.length() < ShardRange.DIGITS) {
            String padded = "0x" + "0".repeat(ShardRange.DIGITS - hex.length()) + hex;
            throw new SelectorException(name + " must be a 0x-prefixed 16-digit hex value, got " + GoText.quote(text)
                    + " (did you mean " + GoText.quote(padded) + "?)");
        }
        return text;
    }

    private static String literal(CelExpr part, String name) {
        if (part.getKind() != Kind.CONSTANT) {
            throw new SelectorException(name + " must be a string literal (e.g. '0xff'), got expression kind "
                    + KINDS.indexOf(part.getKind()));
        }
        CelConstant constant = part.constant();
        return switch (constant.getKind()) {
            case STRING_VALUE -> constant.stringValue();
            case INT64_VALUE -> throw noText(name, "int64");
            case UINT64_VALUE -> throw noText(name, "uint64");
            case DOUBLE_VALUE -> throw noText(name, "float64");
            case BOOLEAN_VALUE -> throw noText(name, "bool");
            case BYTES_VALUE -> throw noText(name, "[]uint8");
            default -> throw noText(name, "structpb.NullValue");
        };
    }

    private static SelectorException noText(String name, String type) {
        return new SelectorException(name + " must be a string literal, got " + type);
    }
}

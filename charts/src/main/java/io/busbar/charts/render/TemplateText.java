package io.busbar.charts.render;

import io.busbar.charts.render.ChartFolder.LookedUp;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/**
 * Changes texts of templates so that they can be rendered without a cluster.
 *
 * <p>The engine is a library that renders as {@code helm template} does, but for two things. It leaves out objects with
 * annotations that make them hooks: these annotations are written otherwise, and written back in what was rendered. And
 * its {@code lookup} asks whatever cluster the process is configured for: each call is written as one of the
 * {@link LookupTemplate}, or, where the name to look up comes through a pipe, as one that finds nothing.
 *
 * <p>Any thread.
 */
final class TemplateText {

    private static final String HOOK = "helm.sh/hook";
    private static final String DISGUISED = "hooks.charts.busbar.io/hook";
    private static final String LOOKUP = "lookup";
    private static final int OPERANDS = 4;
    /** Of an empty map those members that are named: with the four texts that lookup takes, an empty map. */
    private static final String NOTHING_FOUND = "pick (dict)";

    /** Functions, or the beginnings of their names, that come to something else each time. */
    private static final Pattern MADE_UP = Pattern.compile(
            "\\b(rand|gen|uuidv4|now\\b|ago\\b|date|htmlDate|bcrypt|htpasswd|encryptAES|shuffle|getHostByName)");

    private static final String NOW = "now";
    /** Any time that has been; in a text of JSON, too. */
    private static final String LONG_AGO = "(toDate `2006-01-02` `2001-02-03`)";

    private TemplateText() {}

    /** Whether it may come to something else each time that it is rendered. */
    static boolean mayMakeUp(String text) {
        return MADE_UP.matcher(text).find();
    }

    /** To be rendered. */
    static String prepared(String text) {
        return rewritten(text.replace(HOOK, DISGUISED), operands -> {});
    }

    /** What was rendered, as it was meant. */
    static String restored(String text) {
        return text.replace(DISGUISED, HOOK);
    }

    /** The same, to be rendered as if it were another time. */
    static String longAgo(String text) {
        return text.contains(NOW) ? actions(text, TemplateText::expressionLongAgo) : text;
    }

    private static String expressionLongAgo(String text) {
        StringBuilder changed = new StringBuilder(text.length());
        int at = 0;
        while (at < text.length()) {
            int end = tokenEnd(text, at);
            String token = text.substring(at, end);
            changed.append(token.equals(NOW) && isFunction(text, at) ? LONG_AGO : token);
            at = end;
        }
        return changed.toString();
    }

    /** As opposed to a field or a variable. */
    private static boolean isFunction(String text, int at) {
        char before = at == 0 ? ' ' : text.charAt(at - 1);
        return before != '.' && before != '$';
    }

    /** The kinds that calls of lookup name plainly. */
    static List<LookedUp> lookedUp(String text) {
        List<LookedUp> found = new ArrayList<>();
        rewritten(text, operands -> {
            if (isLiteral(operands.get(0)) && isLiteral(operands.get(1))) {
                String name = operands.get(3);
                found.add(new LookedUp(
                        unquoted(operands.get(0)),
                        unquoted(operands.get(1)),
                        isLiteral(name) && unquoted(name).isEmpty()));
            }
        });
        return found;
    }

    /** @param calls takes the operands of each call of lookup */
    private static String rewritten(String text, Consumer<List<String>> calls) {
        return text.contains(LOOKUP) ? actions(text, action -> expression(action, calls)) : text;
    }

    /** Changes actions alone; what does so is to look into neither texts nor comments there. */
    private static String actions(String text, UnaryOperator<String> change) {
        StringBuilder changed = new StringBuilder(text.length() + 64);
        int at = 0;
        int begin = text.indexOf("{{");
        while (begin >= 0) {
            int end = actionEnd(text, begin);
            changed.append(text, at, begin).append(change.apply(text.substring(begin, end)));
            at = end;
            begin = text.indexOf("{{", at);
        }
        return changed.append(text, at, text.length()).toString();
    }

    private static int actionEnd(String text, int begin) {
        int at = begin;
        while (at < text.length() && !text.startsWith("}}", at)) {
            at = tokenEnd(text, at);
        }
        return Math.min(at + 2, text.length());
    }

    private static String expression(String text, Consumer<List<String>> calls) {
        StringBuilder changed = new StringBuilder(text.length());
        int at = 0;
        while (at < text.length()) {
            int end = tokenEnd(text, at);
            if (!text.substring(at, end).equals(LOOKUP) || !isFunction(text, at)) {
                changed.append(text, at, end);
                at = end;
                continue;
            }
            List<String> operands = new ArrayList<>();
            int next = operands(text, end, calls, operands);
            if (operands.size() == OPERANDS) {
                calls.accept(operands);
                changed.append(LookupTemplate.call(String.join(" ", operands)));
                at = next;
            } else { // the last one comes through a pipe
                changed.append(NOTHING_FOUND);
                at = end;
            }
        }
        return changed.toString();
    }

    /**
     * @param operands takes those that follow, four at most
     * @return where they end
     */
    private static int operands(String text, int from, Consumer<List<String>> calls, List<String> operands) {
        int at = from;
        int begin = skipSpace(text, at);
        int end = operandEnd(text, begin);
        while (begin < end && operands.size() < OPERANDS) {
            operands.add(expression(text.substring(begin, end), calls));
            at = end;
            begin = skipSpace(text, at);
            end = operandEnd(text, begin);
        }
        return at;
    }

    private static int skipSpace(String text, int begin) {
        int at = begin;
        while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
            at++;
        }
        return at;
    }

    /** @return where it begins, if there is none */
    private static int operandEnd(String text, int begin) {
        int depth = 0;
        int at = begin;
        while (at < text.length()) {
            char next = text.charAt(at);
            boolean ends = next == '|'
                    || next == ')'
                    || Character.isWhitespace(next)
                    || text.startsWith("}}", at)
                    || text.startsWith("-}}", at);
            if (depth == 0 && ends) {
                break;
            }
            depth += next == '(' ? 1 : next == ')' ? -1 : 0;
            at = tokenEnd(text, at);
        }
        return at;
    }

    /** Of a comment, a quoted text, a word, or else one letter. */
    private static int tokenEnd(String text, int begin) {
        char first = text.charAt(begin);
        if (text.startsWith("/*", begin)) {
            int close = text.indexOf("*/", begin);
            return close < 0 ? text.length() : close + 2;
        }
        if (first == '"' || first == '`') {
            return quoted(text, begin);
        }
        int end = begin + 1;
        while (isWord(first) && end < text.length() && isWord(text.charAt(end))) {
            end++;
        }
        return end;
    }

    private static boolean isLiteral(String operand) {
        return operand.startsWith("\"") || operand.startsWith("`");
    }

    private static String unquoted(String literal) {
        return literal.substring(1, literal.length() - 1);
    }

    private static int quoted(String text, int begin) {
        char quote = text.charAt(begin);
        int at = begin + 1;
        while (at < text.length() && text.charAt(at) != quote) {
            at += quote == '"' && text.charAt(at) == '\\' ? 2 : 1;
        }
        return Math.min(at + 1, text.length());
    }

    private static boolean isWord(char letter) {
        return letter == '_' || Character.isLetterOrDigit(letter);
    }
}

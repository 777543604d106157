package io.busbar.operator.sidecarset.resources;

import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Works out an expression: {@code + - * /}, parentheses, {@code max(a, b)}, {@code min(a, b)}, percentages, quantities
 * and variables.
 *
 * <p>One thread: an instance is one pass over one expression. Source: OpenKruise's calculator, by its behaviour.
 */
public final class Calculator {

    /** Keeps the depth of parentheses within any thread's stack. */
    private static final int MAX_LENGTH = 1024;

    private static final Pattern NUMBER = Pattern.compile("((?:\\d+\\.?\\d*|\\.\\d+)(?:[eE][+-]?\\d+)?)(%|[a-zA-Z]+)?");
    private static final Pattern UNIT = Pattern.compile("[mkMGTP]|[KMGTP]i");
    private static final Pattern WORD = Pattern.compile("[a-zA-Z][a-zA-Z0-9_]*");

    private final String expression;
    private final Map<String, Amount> variables;
    private int at;

    private Calculator(String expression, Map<String, Amount> variables) {
        this.expression = expression;
        this.variables = variables;
    }

    /**
     * @param variables by lower-case name
     * @throws IllegalArgumentException when the expression cannot be read, has no result, or a negative one
     */
    public static Amount calculate(String expression, Map<String, Amount> variables) {
        if (expression.length() > MAX_LENGTH) {
            throw new IllegalArgumentException("longer than " + MAX_LENGTH + " characters");
        }
        Calculator calculator = new Calculator(expression, variables);
        Amount result = calculator.sum();
        if (calculator.next() != '\0') {
            throw calculator.syntaxError();
        }
        if (result.isNegative()) {
            throw new IllegalArgumentException("calculation result is negative: " + result.text());
        }
        return result;
    }

    private Amount sum() {
        Amount result = product();
        while (next() == '+' || next() == '-') {
            boolean minus = take() == '-';
            Amount term = product();
            result = result.plus(minus ? term.negated() : term);
        }
        return result;
    }

    private Amount product() {
        Amount result = factor();
        while (next() == '*' || next() == '/') {
            boolean division = take() == '/';
            Amount factor = factor();
            result = division ? result.dividedBy(factor) : result.times(factor);
        }
        return result;
    }

    private Amount factor() {
        char c = next();
        if (c == '-') {
            take();
            return factor().negated();
        }
        if (c == '(') {
            take();
            Amount inner = sum();
            expect(')');
            return inner;
        }
        return Character.isLetter(c) ? word() : number();
    }

    private Amount word() {
        String word = matched(WORD).group();
        String name = word.toLowerCase(Locale.ROOT);
        if (next() != '(') {
            Amount value = variables.get(name);
            if (value == null) {
                throw new IllegalArgumentException("undefined variable: " + word);
            }
            return value;
        }
        take();
        Amount one = sum();
        if (next() != ',') {
            expect(')');
            throw new IllegalArgumentException(word + " function requires exactly 2 arguments, got 1");
        }
        take();
        Amount two = sum();
        expect(')');
        return switch (name) {
            case "max" -> one.isLessThan(two) ? two : one;
            case "min" -> two.isLessThan(one) ? two : one;
            default -> throw new IllegalArgumentException("unknown function: " + word);
        };
    }

    private Amount number() {
        Matcher number = matched(NUMBER);
        String unit = number.group(2);
        if (unit == null) {
            return new Amount.Bare(Double.parseDouble(number.group(1)));
        }
        if (unit.equals("%")) {
            return new Amount.Bare(Double.parseDouble(number.group(1)) / 100);
        }
        if (!UNIT.matcher(unit).matches()) {
            throw new IllegalArgumentException("parse error: invalid unit '" + unit + "'");
        }
        return Amount.quantity(number.group());
    }

    private Matcher matched(Pattern pattern) {
        Matcher matcher = pattern.matcher(expression).region(at, expression.length());
        if (!matcher.lookingAt()) {
            throw syntaxError();
        }
        at = matcher.end();
        return matcher;
    }

    /** The next character that is no space; the character 0 at the end. */
    private char next() {
        while (at < expression.length() && Character.isWhitespace(expression.charAt(at))) {
            at++;
        }
        return at < expression.length() ? expression.charAt(at) : '\0';
    }

    private char take() {
        return expression.charAt(at++);
    }

    private void expect(char c) {
        if (next() != c) {
            throw syntaxError();
        }
        at++;
    }

    private IllegalArgumentException syntaxError() {
        return new IllegalArgumentException("parse error: syntax error at column " + (at + 1));
    }
}

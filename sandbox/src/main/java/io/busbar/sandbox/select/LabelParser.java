package io.busbar.sandbox.select;

import io.busbar.sandbox.select.LabelLexer.Token;
import io.busbar.sandbox.select.LabelRequirement.Operator;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Reads the query syntax of label selectors, with the complaints of Kubernetes. One thread, once. */
final class LabelParser {

    private final List<Token> tokens;
    private int at;

    LabelParser(String text) {
        this.tokens = LabelLexer.tokens(text);
    }

    List<LabelRequirement> parse() {
        List<LabelRequirement> requirements = new ArrayList<>();
        if (!peek().isWord() && !peek().is("!") && !peek().isEnd()) {
            throw found(peek(), ", expected: !, identifier, or 'end of string'");
        }
        while (!peek().isEnd()) {
            requirements.add(requirement());
            Token next = take();
            if (next.isEnd()) {
                break;
            }
            if (!next.is(",")) {
                throw found(next, ", expected: ',' or 'end of string'");
            }
            if (!peek().isWord() && !peek().is("!")) {
                throw found(peek(), ", expected: identifier after ','");
            }
        }
        return requirements;
    }

    private LabelRequirement requirement() {
        try {
            boolean absent = peek().is("!");
            if (absent) {
                take();
            }
            Token key = take();
            if (!key.isWord()) {
                throw found(key, ", expected: identifier");
            }
            LabelRequirement.checkKey(key.text());
            if (absent) {
                return new LabelRequirement(key.text(), Operator.DOES_NOT_EXIST, Set.of());
            }
            if (peek().isEnd() || peek().is(",")) {
                return new LabelRequirement(key.text(), Operator.EXISTS, Set.of());
            }
            return comparison(key.text(), take());
        } catch (SelectorException e) {
            throw new SelectorException("unable to parse requirement: " + e.getMessage());
        }
    }

    private LabelRequirement comparison(String key, Token operator) {
        return switch (operator.text()) {
            case "=", "==" -> new LabelRequirement(key, Operator.IN, Set.of(value()));
            case "!=" -> new LabelRequirement(key, Operator.NOT_IN, Set.of(value()));
            case ">" -> new LabelRequirement(key, Operator.GREATER, Set.of(value()));
            case "<" -> new LabelRequirement(key, Operator.LESS, Set.of(value()));
            case "in" -> new LabelRequirement(key, Operator.IN, values());
            case "notin" -> new LabelRequirement(key, Operator.NOT_IN, values());
            default -> throw found(operator, ", expected: '=', '!=', '==', 'in', notin'");
        };
    }

    private String value() {
        if (peek().isEnd() || peek().is(",")) {
            return "";
        }
        Token value = take();
        if (!value.isWord()) {
            throw found(value, ", expected: identifier");
        }
        return value.text();
    }

    private Set<String> values() {
        Token open = take();
        if (!open.is("(")) {
            throw found(open, " expected: '('");
        }
        if (!peek().isWord() && !peek().is(",") && !peek().is(")")) {
            throw found(peek(), ", expected: ',', ')' or identifier");
        }
        Set<String> values = new LinkedHashSet<>();
        while (true) {
            values.add(peek().isWord() ? take().text() : "");
            Token next = take();
            if (next.is(")")) {
                return values;
            }
            if (!next.is(",")) {
                throw found(next, ", expected: ',' or ')'");
            }
        }
    }

    private Token peek() {
        return tokens.get(at);
    }

    /** The end can be taken any number of times. */
    private Token take() {
        Token token = peek();
        if (!token.isEnd()) {
            at++;
        }
        return token;
    }

    private static SelectorException found(Token token, String rest) {
        return new SelectorException("found '" + token.text() + "'" + rest);
    }
}

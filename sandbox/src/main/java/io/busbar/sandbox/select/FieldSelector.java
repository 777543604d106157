package io.busbar.sandbox.select;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Tells by a few of its fields whether an object is meant.
 *
 * <p>A field that an object lacks counts as empty, or as the zero of its type. Immutable.
 */
public final class FieldSelector {

    private record Term(String field, boolean equal, String value) {}

    private static final FieldSelector EVERYTHING = new FieldSelector(List.of());

    private final List<Term> terms;

    private FieldSelector(List<Term> terms) {
        this.terms = List.copyOf(terms);
    }

    /** The selector that every object satisfies. */
    public static FieldSelector everything() {
        return EVERYTHING;
    }

    /**
     * Reads {@code a=b}, {@code a==b}, {@code a!=b}, joined by commas; a backslash escapes {@code \}, {@code ,} and
     * {@code =} in a value.
     *
     * @throws SelectorException with the API server's words
     */
    public static FieldSelector parse(String text) {
        List<Term> terms = new ArrayList<>();
        for (String term : split(text)) {
            if (!term.isEmpty()) {
                terms.add(term(text, term));
            }
        }
        return new FieldSelector(terms);
    }

    /**
     * This selector, once it is known that the kind can be selected by its fields.
     *
     * @param group empty for the core group
     * @param declared fields that a custom resource may be selected by beside its name
     * @throws SelectorException with the API server's words, which differ from kind to kind
     */
    public FieldSelector supportedBy(String group, String kind, Set<String> declared) {
        SelectableFields fields = SelectableFields.of(group, kind, declared);
        terms.forEach(term -> fields.check(term.field()));
        return this;
    }

    /** Whether it lets every object pass, so that a caller may skip the test. */
    public boolean isEverything() {
        return terms.isEmpty();
    }

    /** Whether it asks for nothing but metadata, which is the same in each version of a kind. */
    public boolean isOfMetadata() {
        return terms.stream().allMatch(term -> term.field().startsWith("metadata."));
    }

    /**
     * The one value that a field must have, when the selector says so; lets a caller go to the one object of a name.
     */
    public Optional<String> required(String field) {
        return terms.stream()
                .filter(term -> term.equal() && term.field().equals(field))
                .map(Term::value)
                .findFirst();
    }

    /** Whether the object is meant. */
    public boolean matches(ObjectNode object) {
        for (Term term : terms) {
            if (SelectableFields.value(object, term.field()).equals(term.value()) != term.equal()) {
                return false;
            }
        }
        return true;
    }

    private static List<String> split(String text) {
        List<String> terms = new ArrayList<>();
        StringBuilder term = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == ',') {
                terms.add(term.toString());
                term.setLength(0);
            } else {
                term.append(c);
                if (c == '\\' && i + 1 < text.length()) {
                    term.append(text.charAt(++i));
                }
            }
        }
        terms.add(term.toString());
        return terms;
    }

    private static Term term(String selector, String term) {
        int equals = term.indexOf('=');
        if (equals < 0) {
            throw new SelectorException("invalid selector: '" + selector + "'; can't understand '" + term + "'");
        }
        boolean unequal = equals > 0 && term.charAt(equals - 1) == '!';
        boolean twice = !unequal && term.startsWith("=", equals + 1);
        String field = term.substring(0, unequal ? equals - 1 : equals);
        return new Term(field, !unequal, unescape(term.substring(equals + (twice ? 2 : 1))));
    }

    private static String unescape(String value) {
        StringBuilder plain = new StringBuilder(value.length());
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c == '=' || c == ',') {
                throw new SelectorException("invalid field selector: unescaped character in value: " + (int) c);
            }
            if (c == '\\') {
                String escaped = i + 1 < value.length() ? value.substring(i + 1, i + 2) : "";
                if (escaped.isEmpty() || "\\,=".indexOf(escaped) < 0) {
                    throw new SelectorException("invalid field selector: invalid escape sequence: \\" + escaped);
                }
                i++;
                plain.append(escaped);
            } else {
                plain.append(c);
            }
        }
        return plain.toString();
    }
}

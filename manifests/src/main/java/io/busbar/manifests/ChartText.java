package io.busbar.manifests;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.busbar.manifests.yaml.Yaml;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Objects as templates of a chart. Where a template is to have an action, its object has a mark: a plain word, which
 * survives being written as YAML and is replaced in the text.
 *
 * <p>One thread.
 */
final class ChartText {

    static final String PREFIX = "__fullname__-";
    static final String NAMESPACE = "__namespace__";
    static final String SCHEME = "__scheme__";
    /** As a field's name, which comes last: what stands for its value are fields beside it. */
    static final String MORE = "zz_more";

    private static final Pattern BRACES = Pattern.compile("\\{\\{|}}");
    private static final Pattern CONDITION = Pattern.compile("(?m)^( *)- __if_(\\d+)__$");
    private static final Pattern END = Pattern.compile("(?m)^( *)- __end__$");
    private static final Pattern ITEMS = Pattern.compile("(?m)^( *)- __values_([A-Za-z.]+|\\d+)__$");
    private static final Pattern FIELD = Pattern.compile("(?m)^( *)([A-Za-z_]+): __values_([A-Za-z.]+|\\d+)__$");
    private static final Pattern CALL = Pattern.compile("(?m)^( *)([A-Za-z_]+): __call_([A-Za-z]+)__$");
    private static final Pattern NAMED = Pattern.compile("__named_([A-Za-z]+)__");
    private static final Pattern VALUE = Pattern.compile("__value_([A-Za-z.]+|\\d+)__");

    private static final Pattern JOINED = Pattern.compile("__joined_([A-Za-z.]+)__");

    private final OperatorDeclaration operator;
    private final List<String> conditions = new ArrayList<>();
    private final List<String> expressions = new ArrayList<>();

    ChartText(OperatorDeclaration operator) {
        this.operator = operator;
    }

    /** Stands for a scalar among the values, in a string or as one. */
    static String value(String path) {
        return "__value_" + path + "__";
    }

    /**
     * Stands for a list or a map among the values: as a field, which is left out when it is empty, or for items of a
     * list.
     */
    static TextNode values(String path) {
        return TextNode.valueOf("__values_" + path + "__");
    }

    /** Stands for a scalar that an expression gives, in a string or as one. */
    String valueOf(String expression) {
        expressions.add(expression);
        return "__value_" + (expressions.size() - 1) + "__";
    }

    /** Stands for a list or a map that an expression gives, as {@link #values} does for one among the values. */
    TextNode valuesOf(String expression) {
        return TextNode.valueOf(valueOf(expression).replaceFirst("value", "values"));
    }

    /** Stands for the strings of a list among the values, with commas between them, in a string. */
    static String joined(String path) {
        return "__joined_" + path + "__";
    }

    /** Stands for the lines of a helper, as a field's value. */
    static TextNode lines(String helper) {
        return TextNode.valueOf("__call_" + helper + "__");
    }

    /** Stands for what a helper says, in a string. */
    static String named(String helper) {
        return "__named_" + helper + "__";
    }

    /** An item of a list that is there under a condition; those under the same that follow each other share it. */
    void addIf(String condition, ArrayNode list, JsonNode item) {
        if (endsWith(list, condition)) {
            list.remove(list.size() - 1);
        } else {
            list.add("__if_" + conditions.size() + "__");
            conditions.add(condition);
        }
        list.add(item).add("__end__");
    }

    /** The same for a string. */
    void addIf(String condition, ArrayNode list, String item) {
        addIf(condition, list, TextNode.valueOf(item));
    }

    String of(ObjectNode object) {
        String text = BRACES.matcher(Yaml.write(object)).replaceAll("{{ \"$0\" }}");
        text = CONDITION
                .matcher(text)
                .replaceAll(found ->
                        quoted(found.group(1) + "{{- if " + conditions.get(Integer.parseInt(found.group(2))) + " }}"));
        text = END.matcher(text).replaceAll("$1{{- end }}");
        text = ITEMS.matcher(text)
                .replaceAll(found -> quoted(block(found.group(1), "", found.group(2), indentOf(found))));
        text = FIELD.matcher(text)
                .replaceAll(found -> quoted(block(found.group(1), key(found), found.group(3), depth(found))));
        text = CALL.matcher(text)
                .replaceAll(found -> quoted(key(found) + " ".repeat(depth(found)) + "{{- include \"" + operator.name()
                        + "." + found.group(3) + "\" . | nindent " + depth(found) + " }}"));
        text = NAMED.matcher(text).replaceAll(found -> quoted(call(found.group(1))));
        text = JOINED.matcher(text).replaceAll("{{ join \",\" .Values.$1 }}");
        text = VALUE.matcher(text).replaceAll(found -> quoted("{{ " + expression(found.group(1)) + " }}"));
        String labels =
                "    app.kubernetes.io/managed-by: kustomize\n    app.kubernetes.io/name: " + operator.name() + "\n";
        return text.replace(labels, "    {{- include \"" + operator.name() + ".labels\" . | nindent 4 }}\n")
                .replace("__fullname__", call("fullname"))
                .replace(NAMESPACE, "{{ .Release.Namespace }}")
                .replace(SCHEME, "{{ if .Values.metrics.secure }}https{{ else }}http{{ end }}")
                .replace(operator.namespace(), "{{ .Release.Namespace }}");
    }

    private String call(String helper) {
        return "{{ include \"" + operator.name() + "." + helper + "\" . }}";
    }

    private boolean endsWith(ArrayNode list, String condition) {
        int last = list.size() - 1;
        if (last < 0 || !list.get(last).asText().equals("__end__")) {
            return false;
        }
        int opening = last;
        while (!list.get(opening).asText().startsWith("__if_")) {
            opening--;
        }
        int number = Integer.parseInt(list.get(opening).asText().replaceAll("\\D", ""));
        return conditions.get(number).equals(condition);
    }

    private String expression(String path) {
        return Character.isDigit(path.charAt(0)) ? expressions.get(Integer.parseInt(path)) : ".Values." + path;
    }

    private static String key(MatchResult field) {
        return field.group(2).equals(MORE) ? "" : field.group(1) + field.group(2) + ":\n";
    }

    private static int depth(MatchResult field) {
        return indentOf(field) + (field.group(2).equals(MORE) ? 0 : 2);
    }

    private String block(String indent, String key, String path, int depth) {
        return indent + "{{- with " + expression(path) + " }}\n" + key + indent + "{{- toYaml . | nindent " + depth
                + " }}\n" + indent + "{{- end }}";
    }

    private static int indentOf(MatchResult found) {
        return found.group(1).length();
    }

    private static String quoted(String replacement) {
        return Matcher.quoteReplacement(replacement);
    }
}

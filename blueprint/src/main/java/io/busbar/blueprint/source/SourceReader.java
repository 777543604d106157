package io.busbar.blueprint.source;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.io.StringReader;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.yaml.snakeyaml.DumperOptions.ScalarStyle;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;

/**
 * Reads YAML, with places: values are those of JSON, so that {@code yes} is a text and {@code 010} a number. What is
 * merged ({@code <<}) has the places where it is written. Keys that are there twice, and documents that grow too large
 * through their aliases, are refused.
 *
 * <p>One thread, for one text.
 */
public final class SourceReader {

    private static final int MOST_NODES = 100_000;
    private static final int MOST_CHARACTERS = 3 * 1024 * 1024;
    private static final int DEEPEST = 100;
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
    private static final Pattern INTEGER = Pattern.compile("[+-]?[0-9]{1,40}");
    private static final Pattern NUMBER = Pattern.compile("[+-]?(\\.[0-9]+|[0-9]+(\\.[0-9]*)?)([eE][+-]?[0-9]{1,3})?");

    private final String text;
    private final Problems problems;
    private final Set<Node> above = Collections.newSetFromMap(new IdentityHashMap<>());
    private int nodes;

    private SourceReader(String text, Problems problems) {
        this.text = text;
        this.problems = problems;
    }

    /** The documents of a text, without empty ones; what is wrong with them goes to the problems. */
    public static List<SourceNode> read(String text, Problems problems) {
        return new SourceReader(text, problems).documents();
    }

    private List<SourceNode> documents() {
        LoaderOptions options = new LoaderOptions();
        options.setCodePointLimit(MOST_CHARACTERS);
        options.setNestingDepthLimit(DEEPEST);
        Place start = new Place("", 1, 1);
        List<SourceNode> documents = new ArrayList<>();
        try {
            for (Node root : new Yaml(new SafeConstructor(options)).composeAll(new StringReader(text))) {
                SourceNode document = read(root, place("", root.getStartMark()), place("", root.getStartMark()));
                if (!document.isNull()) {
                    documents.add(document);
                }
            }
        } catch (MarkedYAMLException e) {
            Mark mark = e.getProblemMark();
            problems.add(mark == null ? start : place("", mark), "no YAML: " + e.getProblem());
        } catch (YAMLException e) {
            problems.add(start, "no YAML: " + e.getMessage());
        }
        return documents;
    }

    private static Place place(String path, Mark mark) {
        return new Place(path, mark.getLine() + 1, mark.getColumn() + 1);
    }

    private SourceNode read(Node node, Place place, Place key) {
        if (isTooLarge(place)) {
            return SourceNode.value(place, key, "", NODES.nullNode());
        }
        if (!above.add(node)) {
            problems.add(place, "an alias stands within what it stands for");
            return SourceNode.value(place, key, "", NODES.nullNode());
        }
        try {
            if (node instanceof MappingNode map) {
                return SourceNode.map(place, key, fields(map, place));
            }
            if (node instanceof SequenceNode list) {
                List<SourceNode> items = new ArrayList<>();
                for (Node item : list.getValue()) {
                    Place at = place(place.path() + "[" + items.size() + "]", item.getStartMark());
                    items.add(read(item, at, at));
                }
                return SourceNode.list(place, key, items);
            }
            ScalarNode scalar = (ScalarNode) node;
            String written = written(scalar);
            return SourceNode.value(place, key, written, value(scalar));
        } finally {
            above.remove(node);
        }
    }

    /** With one node more. */
    private boolean isTooLarge(Place place) {
        nodes++;
        if (nodes == MOST_NODES) {
            problems.add(place, "the document is too large: more than " + MOST_NODES + " values");
        }
        return nodes >= MOST_NODES;
    }

    /** By code points, as the marks count. */
    private String written(ScalarNode scalar) {
        int from = text.offsetByCodePoints(0, scalar.getStartMark().getIndex());
        int to = text.offsetByCodePoints(
                from, scalar.getEndMark().getIndex() - scalar.getStartMark().getIndex());
        return text.substring(from, to);
    }

    private Map<String, SourceNode> fields(MappingNode map, Place place) {
        Map<String, SourceNode> fields = new LinkedHashMap<>();
        Map<String, SourceNode> merged = new LinkedHashMap<>();
        for (NodeTuple tuple : map.getValue()) {
            Place at = place(place.path(), tuple.getKeyNode().getStartMark());
            if (!(tuple.getKeyNode() instanceof ScalarNode key)) {
                problems.add(at, "the name of a field must be a text");
                continue;
            }
            String name = key.getValue();
            Place keyPlace = new Place(place.field(name), at.line(), at.column());
            Place valuePlace = place(keyPlace.path(), tuple.getValueNode().getStartMark());
            if (name.equals("<<") && key.getScalarStyle() == ScalarStyle.PLAIN) {
                Node value = tuple.getValueNode();
                for (Node each : value instanceof SequenceNode several ? several.getValue() : List.of(value)) {
                    merge(each, at).forEach(merged::putIfAbsent);
                }
            } else if (fields.containsKey(name)) {
                problems.add(keyPlace, "the field is there twice");
            } else {
                fields.put(name, read(tuple.getValueNode(), valuePlace, keyPlace));
            }
        }
        merged.forEach(fields::putIfAbsent);
        return fields;
    }

    private Map<String, SourceNode> merge(Node merged, Place at) {
        if (!(merged instanceof MappingNode map)) {
            problems.add(at, "a merge (<<) must be of a map, or of a list of maps");
        } else if (!above.add(map)) {
            problems.add(at, "an alias stands within what it stands for");
        } else {
            try {
                return isTooLarge(at) ? Map.of() : fields(map, at);
            } finally {
                above.remove(map);
            }
        }
        return Map.of();
    }

    private static JsonNode value(ScalarNode scalar) {
        String value = scalar.getValue();
        if (scalar.getScalarStyle() != ScalarStyle.PLAIN) {
            return NODES.textNode(value);
        }
        return switch (value) {
            case "", "~", "null", "Null", "NULL" -> NODES.nullNode();
            case "true", "True", "TRUE" -> NODES.booleanNode(true);
            case "false", "False", "FALSE" -> NODES.booleanNode(false);
            default -> number(value).orElseGet(() -> NODES.textNode(value));
        };
    }

    private static Optional<JsonNode> number(String value) {
        if (INTEGER.matcher(value).matches()) {
            BigInteger number = new BigInteger(value);
            return Optional.of(
                    number.bitLength() < Long.SIZE ? NODES.numberNode(number.longValue()) : NODES.numberNode(number));
        }
        if (NUMBER.matcher(value).matches()) {
            return Optional.of(NODES.numberNode(new BigDecimal(value).doubleValue()));
        }
        return Optional.empty();
    }
}

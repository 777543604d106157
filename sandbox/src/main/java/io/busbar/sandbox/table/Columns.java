package io.busbar.sandbox.table;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The columns of a kind, as its room writes them or as a CustomResourceDefinition does.
 *
 * <pre>
 *   Name
 *   Ready: {.status.readyReplicas|0}/{.spec.replicas|1}
 *   Active: integer {count .status.active[*]}
 *   ParamKind: {.spec.paramKind.apiVersion}/{.spec.paramKind.kind} else &lt;unset&gt;
 *   Containers: wide {.spec.template.spec.containers[*].name}
 * </pre>
 *
 * In braces stand paths, of which the first counts that finds some text, and at the end what there is otherwise; before
 * them a word for what is made of what they find. The words before the braces tell the type, and whether only
 * {@code -o wide} shows the column: {@code number} and {@code flag} are a JSON number and a boolean in a column that
 * the real server says is of strings.
 *
 * <p>Any thread. Columns are read when a table is first asked for.
 */
public final class Columns {

    private static final Pattern LINE =
            Pattern.compile("(?<name>[^:]+)(?<words>:(?: \\w+)*)?(?: (?<value>\\{.*?))?(?: else (?<otherwise>.*))?");
    private static final Pattern PIECE = Pattern.compile("\\{(?:(?<word>\\w+) ?)?(?<paths>[^}]*)}|[^{]+");
    private static final int SHOWN = 3;

    private final Supplier<List<Column>> reader;
    private volatile @Nullable List<Column> read;

    private Columns(Supplier<List<Column>> reader) {
        this.reader = reader;
    }

    /**
     * Columns by the lines of a room; Name and Age where there are none.
     *
     * @param cells what is made in Java of what a path finds, or of the whole object, by the words that the lines have
     *     for them
     */
    public static Columns of(List<String> lines, Map<String, Function<JsonNode, String>> cells) {
        List<String> all = lines.isEmpty() ? List.of("Name", "Age") : lines;
        return new Columns(() -> all.stream().map(line -> column(line, cells)).toList());
    }

    /** @param definitions {@code additionalPrinterColumns}; missing for none */
    public static Columns ofDefinition(JsonNode definitions) {
        return new Columns(() -> {
            if (definitions.isEmpty()) {
                return List.of(Column.NAME, Column.AGE.as("date"));
            }
            List<Column> columns = new ArrayList<>(List.of(Column.NAME));
            definitions.forEach(definition -> columns.add(custom(definition)));
            return List.copyOf(columns);
        });
    }

    List<Column> all() {
        List<Column> known = read;
        if (known == null) {
            known = reader.get();
            read = known;
        }
        return known;
    }

    private static Column custom(JsonNode definition) {
        String path = definition.path("jsonPath").asText();
        JsonPath found = JsonPath.parse(path);
        String type = definition.path("type").asText();
        return new Column(
                definition.path("name").asText(),
                type,
                definition.path("format").asText(""),
                definition
                        .path("description")
                        .asText("Custom resource definition column (in JSONPath format): " + path),
                definition.path("priority").asInt(),
                (object, now) -> found.find(object).stream()
                        .findFirst()
                        .map(value -> customCell(value, type, now))
                        .orElse(NullNode.instance));
    }

    private static JsonNode customCell(JsonNode value, String type, Instant now) {
        return switch (type) {
            case "date" -> TextNode.valueOf(Ages.since(value, now));
            case "integer", "number", "boolean" ->
                value.isValueNode() && !value.isTextual() ? value : NullNode.instance;
            default -> TextNode.valueOf(value.isTextual() ? value.asText() : value.toString());
        };
    }

    /** A part of a cell; empty when it finds nothing. */
    private interface Piece {
        String of(ObjectNode object, Instant now);
    }

    private static Column column(String line, Map<String, Function<JsonNode, String>> cells) {
        Matcher parts = LINE.matcher(line);
        if (!parts.matches()) {
            throw new IllegalStateException("not a column: " + line);
        }
        String name = parts.group("name");
        String said = parts.group("words");
        List<String> words =
                said == null ? List.of() : List.of(said.substring(1).strip().split(" ", -1));
        Column column = Column.STANDARD.get(name);
        if (column == null) {
            List<Piece> pieces = pieces(String.valueOf(parts.group("value")), cells);
            String otherwise = parts.group("otherwise") == null ? "" : parts.group("otherwise");
            String type = words.stream()
                    .filter(List.of("integer", "boolean", "date")::contains)
                    .findFirst()
                    .orElse("string");
            column = new Column(
                    name, type, "", name + ".", 0, (object, now) -> value(words, text(pieces, otherwise, object, now)));
        }
        return words.contains("wide") ? column.wide() : column;
    }

    private static JsonNode value(List<String> words, String text) {
        if (words.contains("boolean") || words.contains("flag")) {
            return BooleanNode.valueOf(text.equals("true"));
        }
        boolean number = (words.contains("integer") || words.contains("number")) && text.matches("-?\\d+");
        return number ? JsonNodeFactory.instance.numberNode(Long.parseLong(text)) : TextNode.valueOf(text);
    }

    private static String text(List<Piece> pieces, String otherwise, ObjectNode object, Instant now) {
        StringBuilder text = new StringBuilder();
        for (Piece piece : pieces) {
            String part = piece.of(object, now);
            if (part.isEmpty()) {
                return otherwise;
            }
            text.append(part);
        }
        return text.toString();
    }

    private static List<Piece> pieces(String value, Map<String, Function<JsonNode, String>> cells) {
        List<Piece> pieces = new ArrayList<>();
        Matcher piece = PIECE.matcher(value);
        while (piece.find()) {
            String literal = piece.group();
            pieces.add(
                    piece.group("paths") == null
                            ? (object, now) -> literal
                            : piece(
                                    piece.group("word") == null ? "" : piece.group("word"),
                                    piece.group("paths"),
                                    cells));
        }
        return pieces;
    }

    private static Piece piece(String word, String paths, Map<String, Function<JsonNode, String>> cells) {
        List<JsonPath> among = new ArrayList<>();
        String otherwise = "";
        for (String path : paths.split("\\|", -1)) {
            if (path.startsWith(".")) {
                among.add(JsonPath.parse(path));
            } else {
                otherwise = path;
            }
        }
        String last = otherwise;
        Function<JsonNode, String> cell = cells.get(word);
        if (word.equals("count")) {
            return (object, now) -> String.valueOf(
                    among.stream().mapToInt(path -> path.find(object).size()).sum());
        }
        return (object, now) -> (among.isEmpty()
                        ? Stream.of(List.<JsonNode>of(object))
                        : among.stream().map(path -> path.find(object)))
                .filter(found -> !found.isEmpty())
                .map(found -> cell == null ? made(word, found, now) : cell.apply(found.get(0)))
                .filter(text -> !text.isEmpty())
                .findFirst()
                .orElse(last);
    }

    private static String made(String word, List<JsonNode> found, Instant now) {
        List<String> texts = found.stream().map(JsonNode::asText).toList();
        return switch (word) {
            case "" -> String.join(",", texts);
            case "age" -> Ages.since(found.get(0), now);
            case "labels" ->
                found.get(0).properties().stream()
                        .filter(label -> label.getValue().isTextual())
                        .map(label -> label.getKey() + "=" + label.getValue().asText())
                        .collect(Collectors.joining(","));
            case "first" -> texts.get(0);
            case "lower" -> texts.get(0).toLowerCase(Locale.ROOT);
            case "some" -> some(texts);
            case "sum" ->
                String.valueOf(found.stream().mapToLong(JsonNode::asLong).sum());
            default -> throw new IllegalStateException("nothing makes a cell of " + word);
        };
    }

    /** The first few, and how many more there are. */
    public static String some(List<String> all) {
        String shown = String.join(",", all.subList(0, Math.min(SHOWN, all.size())));
        return all.size() <= SHOWN ? shown : shown + " + " + (all.size() - SHOWN) + " more...";
    }
}

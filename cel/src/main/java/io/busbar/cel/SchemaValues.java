package io.busbar.cel;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.cel.common.values.CelByteString;
import dev.cel.common.values.NullValue;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** JSON as CEL sees it, by its schema. Any thread. */
public final class SchemaValues {

    private static final JsonNode NO_SCHEMA = JsonNodeFactory.instance.missingNode();
    private static final Pattern DURATION_PART = Pattern.compile("([0-9.]+)\\s*([a-zµ]+)");

    private SchemaValues() {}

    /** A value without a schema, as in the objects that webhooks see. */
    public static Object of(JsonNode value) {
        return of(value, NO_SCHEMA);
    }

    public static Object of(JsonNode value, JsonNode schema) {
        return switch (value.getNodeType()) {
            case OBJECT -> object(value, schema);
            case ARRAY -> list(value, schema.path("items"));
            case STRING -> text(value.textValue(), schema.path("format").asText());
            case BOOLEAN -> value.booleanValue();
            case NUMBER -> number(value, schema.path("type").asText());
            default -> NullValue.NULL_VALUE;
        };
    }

    private static Object number(JsonNode value, String type) {
        boolean whole = type.isEmpty() ? value.isIntegralNumber() : !type.equals("number");
        return whole ? (Object) value.longValue() : (Object) value.doubleValue();
    }

    private static List<Object> list(JsonNode value, JsonNode items) {
        List<Object> list = new ArrayList<>(value.size());
        value.forEach(item -> list.add(of(item, items)));
        return list;
    }

    private static Map<String, Object> object(JsonNode value, JsonNode schema) {
        JsonNode properties = schema.path("properties");
        JsonNode additional = schema.path("additionalProperties");
        boolean map = additional.isObject() || schema.isMissingNode();
        Map<String, Object> object = map ? new LinkedHashMap<>() : new FieldMap();
        for (Map.Entry<String, JsonNode> field : value.properties()) {
            if (map) {
                object.put(field.getKey(), of(field.getValue(), additional));
            } else {
                FieldNames.of(field.getKey())
                        .ifPresent(name -> object.put(name, of(field.getValue(), properties.path(field.getKey()))));
            }
        }
        return object;
    }

    /** What breaks its format stays a text: the schema itself has refused it already. */
    private static Object text(String text, String format) {
        try {
            return switch (format) {
                case "byte" -> CelByteString.of(Base64.getDecoder().decode(text));
                case "duration" -> duration(text);
                case "date" ->
                    LocalDate.parse(text).atStartOfDay(ZoneOffset.UTC).toInstant();
                case "date-time" -> instant(text);
                default -> text;
            };
        } catch (IllegalArgumentException | DateTimeException e) {
            return text;
        }
    }

    private static Instant instant(String text) {
        return OffsetDateTime.parse(text.toUpperCase(Locale.ROOT).replace(' ', 'T'))
                .toInstant();
    }

    private static Duration duration(String text) {
        Duration total = Duration.ZERO;
        Matcher parts = DURATION_PART.matcher(text);
        while (parts.find()) {
            double amount = Double.parseDouble(parts.group(1));
            total = total.plusNanos(Math.round(amount * nanos(parts.group(2))));
        }
        return text.startsWith("-") ? total.negated() : total;
    }

    private static long nanos(String unit) {
        return switch (unit) {
            case "ns" -> 1;
            case "us", "µs" -> 1_000;
            case "ms" -> 1_000_000;
            case "m", "min", "mins", "minute", "minutes" ->
                Duration.ofMinutes(1).toNanos();
            case "h", "hour", "hours" -> Duration.ofHours(1).toNanos();
            case "d", "day", "days" -> Duration.ofDays(1).toNanos();
            case "w", "week", "weeks" -> Duration.ofDays(7).toNanos();
            default -> Duration.ofSeconds(1).toNanos();
        };
    }
}

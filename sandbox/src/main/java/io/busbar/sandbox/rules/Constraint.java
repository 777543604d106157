package io.busbar.sandbox.rules;

import com.fasterxml.jackson.databind.JsonNode;
import io.busbar.sandbox.syntax.GoText;
import io.busbar.sandbox.syntax.Names;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/** What must hold at a place. Any thread. */
@FunctionalInterface
interface Constraint {

    /** What stands below is not looked at: a rule of its parent does. */
    Constraint OPAQUE = place -> true;

    /** What stands below is looked at now, and not later. */
    Constraint INSIDE = of(Place::inside);

    /** Texts that have a form, by its name. */
    Map<String, Function<String, List<String>>> FORMATS = Map.ofEntries(
            Map.entry("label", Names::dnsLabel),
            Map.entry("label1035", Names::dns1035Label),
            Map.entry("subdomain", Names::dnsSubdomain),
            Map.entry("qualified", Names::qualifiedName),
            Map.entry("lowerQualified", text -> Names.qualifiedName(text.toLowerCase(Locale.ROOT))),
            Map.entry("labelValue", Names::labelValue),
            Map.entry("pathSegment", Names::pathSegment),
            Map.entry("envName", Names::environmentVariable),
            Map.entry("configKey", Names::configKey),
            Map.entry("portName", Names::portName),
            Map.entry("kindName", Names::kind),
            Map.entry("ip", Names::ipAddress),
            Map.entry("cidr", Names::cidr),
            Map.entry("driver", text -> Names.dnsSubdomain(text.toLowerCase(Locale.ROOT))),
            Map.entry("host", text -> text.contains("*") ? Names.wildcardSubdomain(text) : Names.dnsSubdomain(text)),
            Map.entry(
                    "notIp",
                    text -> complain(Names.ipAddress(text).isEmpty(), "must be a DNS name, not an IP address")),
            Map.entry(
                    "trimmed",
                    text -> complain(!text.equals(text.strip()), "must not have leading or trailing whitespace")),
            Map.entry("unpadded", text -> complain(!text.equals(text.strip()), "must not be padded with whitespace")),
            Map.entry("searchDomain", text -> text.equals(".") ? List.of() : Names.searchDomain(text)),
            Map.entry(
                    "reservedPath",
                    text -> complain(text.startsWith("..") && !text.startsWith("../"), "must not start with '..'")),
            Map.entry("relativePath", text -> complain(text.startsWith("/"), "must be a relative path")),
            Map.entry("absolutePath", text -> complain(!text.startsWith("/"), "must be an absolute path")),
            Map.entry(
                    "withoutBacksteps",
                    text -> complain(List.of(text.split("/", -1)).contains(".."), "must not contain '..'")));

    /** @return whether what stands behind it in the line is to be checked, too */
    boolean check(Place place);

    private static List<String> complain(boolean broken, String words) {
        return broken ? List.of(words) : List.of();
    }

    /** Goes on only where something holds. */
    private static Constraint holds(Predicate<Place> test, String words) {
        return place -> {
            boolean holds = test.test(place);
            if (!holds) {
                place.invalid(words);
            }
            return holds;
        };
    }

    /** Goes on only if there is something to check. */
    static Constraint required(String detail) {
        return required(Place::isBlank, detail);
    }

    private static Constraint required(Predicate<Place> absent, String detail) {
        return place -> {
            boolean found = !absent.test(place);
            if (!found) {
                place.required(detail);
            }
            return found;
        };
    }

    static Constraint forbidden(String detail) {
        return ifPresent(place -> {
            place.forbidden(detail);
            return false;
        });
    }

    /** Nothing is no choice either, and is the wrong one. */
    static Constraint choice(List<String> values) {
        return place -> {
            boolean allowed = values.contains(place.value().asText());
            if (!allowed) {
                place.unsupported(values);
            }
            return allowed;
        };
    }

    static Constraint format(Function<String, List<String>> complaints) {
        return ifPresent(place -> {
            List<String> found = complaints.apply(place.value().asText());
            place.invalid(found);
            return found.isEmpty();
        });
    }

    static Constraint number(Predicate<Long> allowed, String words) {
        return holds(
                place -> !place.value().isIntegralNumber()
                        || allowed.test(place.value().asLong()),
                words);
    }

    /**
     * Items are told apart by a field; with an empty name by themselves.
     *
     * @param byItem whether the item is called the duplicate, and not its field
     */
    static Constraint unique(String field, boolean byItem) {
        return list -> {
            Set<JsonNode> seen = new HashSet<>();
            for (Place item : list.each()) {
                Place key = field.isEmpty() ? item : item.field(field);
                if (!key.isBlank() && !seen.add(key.value())) {
                    (byItem ? item : key).duplicate(key.shown());
                }
            }
            return true;
        };
    }

    /** Not less than zero, or a percentage of something. */
    static Constraint amount(long mostPercent) {
        return ifPresent(place -> {
            JsonNode value = place.value();
            if (!value.isTextual()) {
                return number(count -> count >= 0, "must be greater than or equal to 0")
                        .check(place);
            }
            List<String> complaints = Names.percentage(value.textValue());
            place.invalid(complaints);
            if (complaints.isEmpty() && Long.parseLong(value.textValue().replace("%", "")) > mostPercent) {
                place.invalid("must not be greater than " + mostPercent + "%");
            }
            return complaints.isEmpty();
        });
    }

    /** A port, or the name of one. */
    static Constraint portOrName() {
        Constraint inRange = number(port -> port > 0 && port < 65_536, "must be between 1 and 65535, inclusive");
        Constraint name = format(Names::portName);
        return place -> place.value().isTextual() ? name.check(place) : inRange.check(place);
    }

    /** A port that is 0 when nothing is said. */
    private static Constraint requiredPort() {
        Constraint inRange = portOrName();
        return place -> {
            if (place.value().isMissingNode()) {
                place.invalid("0", "must be between 1 and 65535, inclusive");
            }
            return inRange.check(place);
        };
    }

    /** Of the given fields an object has exactly one; each that comes second is refused. */
    static Constraint union(List<String> members, String noneWords, String moreWords) {
        return place -> {
            int found = 0;
            for (String member : members) {
                if (place.value().has(member) && ++found > 1 && !moreWords.isEmpty()) {
                    place.field(member).forbidden(moreWords);
                }
            }
            if (found == 0 && !noneWords.isEmpty()) {
                place.required(noneWords);
            }
            return found == 1;
        };
    }

    static Constraint of(Check check) {
        return place -> {
            check.check(place);
            return true;
        };
    }

    private static Constraint ifPresent(Constraint constraint) {
        return place -> !place.isBlank() && constraint.check(place);
    }

    /** What a word of a rules file says. */
    static Constraint parse(String word, List<String> arguments, Map<String, Check> checks) {
        String first = arguments.isEmpty() ? "" : arguments.get(0);
        return switch (word) {
            case "required" -> required(first);
            // A number that Go does not tell apart from zero, and must be one.
            case "requiredNumber" ->
                required(place -> place.isBlank() || place.value().asLong() == 0, first);
            case "missing" ->
                of(place -> {
                    if (place.isBlank()) {
                        place.required(first);
                    }
                });
            case "lacking" -> of(place -> place.required(first));
            // What is not said counts as nothing.
            case "noMoreThan" ->
                place -> {
                    long value = place.value().asLong();
                    boolean more = value > place.parent().get(first).asLong();
                    if (more) {
                        place.invalid(Long.toString(value), arguments.get(1));
                    }
                    return !more;
                };
            case "moreThan" ->
                ifPresent(holds(
                        place -> place.value().asLong()
                                > place.parent().get(first).asLong(),
                        arguments.get(1)));
            case "joined" -> format(joined(format(first)));
            case "forbidden" -> forbidden(first);
            case "enum" -> ifPresent(choice(arguments));
            case "choice" -> choice(arguments);
            case "matches" -> {
                Pattern form = Pattern.compile(first);
                yield holds(place -> form.matcher(place.value().asText()).matches(), arguments.get(1));
            }
            case "always" -> {
                Function<String, List<String>> complaints = format(first);
                yield of(place -> {
                    String text = place.value().asText();
                    place.invalid(GoText.quote(text), complaints.apply(text));
                });
            }
            case "minimum" ->
                number(value -> value >= Long.parseLong(first), "must be greater than or equal to " + first);
            case "maximum" ->
                number(
                        value -> value <= Long.parseLong(first),
                        arguments.size() > 1 ? arguments.get(1) : "must be less than or equal to " + first);
            case "notNegative" -> number(value -> value >= 0, "must be greater than or equal to 0");
            case "positive" -> number(value -> value > 0, arguments.isEmpty() ? "must be greater than 0" : first);
            case "range" -> {
                long least = Long.parseLong(first);
                long most = Long.parseLong(arguments.get(1));
                yield number(
                        value -> value >= least && value <= most,
                        arguments.size() > 2
                                ? arguments.get(2)
                                : String.format(Locale.ROOT, "must be between %d and %d, inclusive", least, most));
            }
            case "port" -> number(value -> value > 0 && value < 65_536, "must be between 1 and 65535, inclusive");
            case "portOrName" -> portOrName();
            case "requiredPort" -> requiredPort();
            case "wrong" ->
                ifPresent(place -> {
                    place.invalid(arguments.size() > 1 ? "\"\"" : place.shown(), first);
                    return false;
                });
            case "among" ->
                ifPresent(place -> {
                    boolean known = arguments.lastIndexOf(place.value().asText()) > 0;
                    place.invalid(known ? List.of() : List.of(first));
                    return known;
                });
            case "amount" -> amount(arguments.isEmpty() ? Long.MAX_VALUE : Long.parseLong(first));
            case "unique" -> unique(first, arguments.size() > 1);
            case "immutable" ->
                holds(
                        place -> !place.updates() || !place.changed(),
                        arguments.isEmpty() ? "field is immutable" : first);
            case "fixed" ->
                place -> {
                    boolean fixed = !place.updates() || !place.changed();
                    if (!fixed) {
                        place.forbidden(first);
                    }
                    return fixed;
                };
            case "longest" ->
                holds(place -> place.value().asText().length() <= Integer.parseInt(first), arguments.get(1));
            case "mostItems" -> holds(place -> place.value().size() <= Integer.parseInt(first), arguments.get(1));
            case "union" -> union(arguments.subList(2, arguments.size()), first, arguments.get(1));
            case "labels" -> of(Labels::check);
            case "opaque" -> OPAQUE;
            case "inside" -> INSIDE;
            case "check" -> of(named(first, checks));
            default -> format(format(word));
        };
    }

    static Check named(String name, Map<String, Check> checks) {
        Check check = checks.get(name);
        if (check == null) {
            throw new IllegalArgumentException("nothing in Java named " + name);
        }
        return check;
    }

    /** All complaints as one. */
    private static Function<String, List<String>> joined(Function<String, List<String>> complaints) {
        return text -> {
            List<String> found = complaints.apply(text);
            return found.isEmpty() ? found : List.of(String.join(",", found));
        };
    }

    private static Function<String, List<String>> format(String name) {
        Function<String, List<String>> format = FORMATS.get(name);
        if (format == null) {
            throw new IllegalArgumentException("neither a constraint nor a format: " + name);
        }
        return format;
    }
}

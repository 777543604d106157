package io.busbar.sandbox.rbac;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.request.AccessRequest;
import io.busbar.sandbox.syntax.GoText;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * One rule of a role.
 *
 * <p>Immutable. What matches is as in apiserver's {@code rbac/v1} evaluation: {@code *} for all,
 * {@code *}{@code /status} for a subresource of everything, no names for all names, and a {@code *} at the end of a
 * path for all below.
 */
public record Rule(
        List<String> verbs, List<String> groups, List<String> resources, List<String> names, List<String> paths) {

    static final Rule ALL_RESOURCES = new Rule(List.of("*"), List.of("*"), List.of("*"), List.of(), List.of());
    static final Rule ALL_PATHS = new Rule(List.of("*"), List.of(), List.of(), List.of(), List.of("*"));

    private static final String ALL = "*";

    static Rule of(JsonNode rule) {
        return new Rule(
                texts(rule.path("verbs")),
                texts(rule.path("apiGroups")),
                texts(rule.path("resources")),
                texts(rule.path("resourceNames")),
                texts(rule.path("nonResourceURLs")));
    }

    /** All rules of a role. */
    static List<Rule> all(JsonNode role) {
        List<Rule> rules = new ArrayList<>();
        role.path("rules").forEach(rule -> rules.add(of(rule)));
        return List.copyOf(rules);
    }

    boolean allows(AccessRequest request) {
        if (!matches(verbs, request.verb())) {
            return false;
        }
        if (request.isPath()) {
            return paths.stream().anyMatch(path -> isBelow(path, request.path()));
        }
        return matches(groups, request.group())
                && matchesResource(request.wholeResource(), request.subresource())
                && (names.isEmpty() || names.contains(request.name()));
    }

    /** Whether who has this rule has all of another, which is about one thing. */
    boolean covers(Rule other) {
        boolean about = other.paths.isEmpty()
                ? coversAll(groups, other.groups) && other.resources.stream().allMatch(this::coversResource)
                : other.paths.stream().allMatch(path -> paths.stream().anyMatch(own -> isBelow(own, path)));
        boolean named = names.isEmpty() || (!other.names.isEmpty() && names.containsAll(other.names));
        return about && named && coversAll(verbs, other.verbs);
    }

    /** As many rules as there are combinations, each of one verb and one thing. */
    List<Rule> parts() {
        List<Rule> parts = new ArrayList<>();
        for (String group : groups) {
            for (String resource : resources) {
                for (String verb : verbs) {
                    if (names.isEmpty()) {
                        parts.add(one(verb, group, resource, List.of()));
                    }
                    names.forEach(name -> parts.add(one(verb, group, resource, List.of(name))));
                }
            }
        }
        for (String path : paths) {
            verbs.forEach(verb -> parts.add(new Rule(List.of(verb), List.of(), List.of(), List.of(), List.of(path))));
        }
        return parts;
    }

    /** The same about the same thing, with more verbs. */
    Rule withVerbs(List<String> more) {
        return new Rule(more, groups, resources, names, paths);
    }

    /** Adds itself to a review's answer. */
    public void describe(ObjectNode node) {
        put(node, "verbs", verbs);
        put(node, "apiGroups", groups);
        put(node, "resources", resources);
        put(node, "resourceNames", names);
        put(node, "nonResourceURLs", paths);
    }

    /** Whether it is about paths, and not about resources. */
    public boolean isOfPaths() {
        return !paths.isEmpty();
    }

    /** As the API server prints one in messages. */
    @Override
    public String toString() {
        List<String> parts = new ArrayList<>();
        add(parts, "APIGroups", groups);
        add(parts, "Resources", resources);
        add(parts, "NonResourceURLs", paths);
        add(parts, "ResourceNames", names);
        add(parts, "Verbs", verbs);
        return "{" + String.join(", ", parts) + "}";
    }

    private static Rule one(String verb, String group, String resource, List<String> names) {
        return new Rule(List.of(verb), List.of(group), List.of(resource), names, List.of());
    }

    private boolean matchesResource(String whole, String subresource) {
        return matches(resources, whole) || (!subresource.isEmpty() && resources.contains("*/" + subresource));
    }

    private boolean coversResource(String whole) {
        int slash = whole.indexOf('/');
        return matchesResource(whole, slash < 0 ? "" : whole.substring(slash + 1));
    }

    private static boolean matches(List<String> allowed, String value) {
        return allowed.contains(ALL) || allowed.contains(value);
    }

    private static boolean coversAll(List<String> owned, List<String> wanted) {
        return owned.contains(ALL) || owned.containsAll(wanted);
    }

    private static boolean isBelow(String allowed, String path) {
        return allowed.equals(path)
                || (allowed.endsWith(ALL) && path.startsWith(allowed.substring(0, allowed.length() - 1)));
    }

    private static void put(ObjectNode node, String field, List<String> values) {
        if (!values.isEmpty()) {
            values.forEach(node.putArray(field)::add);
        }
    }

    private static void add(List<String> parts, String field, List<String> values) {
        if (!values.isEmpty()) {
            parts.add(field + ":" + values.stream().map(GoText::quote).collect(Collectors.joining(" ", "[", "]")));
        }
    }

    private static List<String> texts(JsonNode array) {
        List<String> texts = new ArrayList<>();
        array.forEach(text -> texts.add(text.asText()));
        return List.copyOf(texts);
    }
}

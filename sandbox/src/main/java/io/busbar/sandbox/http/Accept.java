package io.busbar.sandbox.http;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The form in which a client wants the answer.
 *
 * <p>Immutable.
 *
 * @param as {@code Table}, {@code PartialObjectMetadata}, {@code PartialObjectMetadataList}; empty for the object itself
 */
record Accept(boolean yaml, String as, String version) {

    static final Accept JSON = new Accept(false, "", "");

    /** The first of the forms asked for that can be given; empty when there is none. */
    static Optional<Accept> negotiate(String header) {
        if (header.isBlank()) {
            return Optional.of(JSON);
        }
        for (String clause : header.split(",", -1)) {
            Optional<Accept> accept = one(clause);
            if (accept.isPresent()) {
                return accept;
            }
        }
        return Optional.empty();
    }

    private static Optional<Accept> one(String clause) {
        List<String> parts = new ArrayList<>();
        for (String part : clause.split(";", -1)) {
            parts.add(part.trim());
        }
        String type = parts.get(0).toLowerCase(Locale.ROOT);
        boolean yaml = type.equals("application/yaml");
        if (!yaml && !List.of("application/json", "*/*", "application/*").contains(type)) {
            return Optional.empty();
        }
        String as = parameter(parts, "as");
        String group = parameter(parts, "g");
        String version = parameter(parts, "v");
        boolean known = as.isEmpty()
                || (group.equals("meta.k8s.io")
                        && List.of("v1", "v1beta1").contains(version)
                        && List.of("Table", "PartialObjectMetadata", "PartialObjectMetadataList")
                                .contains(as));
        return known ? Optional.of(new Accept(yaml, as, version)) : Optional.empty();
    }

    private static String parameter(List<String> parts, String name) {
        return parts.stream()
                .filter(part -> part.startsWith(name + "="))
                .map(part -> part.substring(name.length() + 1))
                .findFirst()
                .orElse("");
    }
}

package io.busbar.sandbox.http;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The form in which a client wants the answer.
 *
 * <p>Immutable.
 *
 * @param as {@code Table}, {@code PartialObjectMetadata}, {@code PartialObjectMetadataList}; empty for the object
 *     itself
 * @param drops whether metadata.managedFields shall be left out, where the gate is open (KEP-5958)
 */
record Accept(Format format, String as, String version, boolean drops) {

    enum Format {
        JSON("application/json"),
        YAML("application/yaml"),
        PROTOBUF("application/vnd.kubernetes.protobuf");

        private final String mediaType;

        Format(String mediaType) {
            this.mediaType = mediaType;
        }

        String mediaType() {
            return mediaType;
        }
    }

    static final Accept JSON = new Accept(Format.JSON, "", "", false);

    private static final List<String> VERSIONS = List.of("v1", "v1beta1");
    private static final List<String> FORMS = List.of("Table", "PartialObjectMetadata", "PartialObjectMetadataList");

    /**
     * The first of the forms asked for that can be given, protobuf only if there is no other; empty when there is none.
     */
    static Optional<Accept> negotiate(String header) {
        return header.isBlank()
                ? Optional.of(JSON)
                : clauses(header)
                        .flatMap(clause -> clause.form().stream())
                        .min(Comparator.comparing(form -> form.format() == Format.PROTOBUF));
    }

    /**
     * The version of {@code APIGroupDiscoveryList} that is wanted before anything else that can be given; empty for
     * none.
     */
    static String discoveryVersion(String header) {
        return clauses(header)
                .filter(clause -> clause.isDiscovery()
                        || clause.form().filter(Accept::isPlain).isPresent())
                .findFirst()
                .filter(Clause::isDiscovery)
                .map(clause -> clause.parameter("v"))
                .orElse("");
    }

    /** Whether the object itself is wanted. */
    boolean isPlain() {
        return as.isEmpty();
    }

    private static Stream<Clause> clauses(String header) {
        return Arrays.stream(header.split(",", -1))
                .map(clause -> new Clause(
                        Arrays.stream(clause.split(";", -1)).map(String::trim).toList()));
    }

    /** One alternative. Immutable. */
    private record Clause(List<String> parts) {

        Optional<Accept> form() {
            String as = parameter("as");
            boolean known = as.isEmpty()
                    || (parameter("g").equals("meta.k8s.io")
                            && VERSIONS.contains(parameter("v"))
                            && FORMS.contains(as)
                            && !parts.get(0).equals(Format.PROTOBUF.mediaType()));
            return format().filter(format -> known)
                    .map(format ->
                            new Accept(format, as, parameter("v"), format == Format.JSON && dropsManagedFields()));
        }

        /** What else is to be dropped is passed over. */
        private boolean dropsManagedFields() {
            return List.of(parameter("drop").split("\\+", -1)).contains("metadata.managedFields");
        }

        boolean isDiscovery() {
            return format().filter(format -> format == Format.JSON).isPresent()
                    && parameter("as").equals("APIGroupDiscoveryList")
                    && parameter("g").equals("apidiscovery.k8s.io")
                    && List.of("v2", "v2beta1").contains(parameter("v"));
        }

        private Optional<Format> format() {
            String type = parts.get(0).toLowerCase(Locale.ROOT);
            return type.equals("*/*") || type.equals("application/*")
                    ? Optional.of(Format.JSON)
                    : Arrays.stream(Format.values())
                            .filter(format -> format.mediaType().equals(type))
                            .findFirst();
        }

        private String parameter(String name) {
            return parts.stream()
                    .filter(part -> part.startsWith(name + "="))
                    .map(part -> part.substring(name.length() + 1))
                    .findFirst()
                    .orElse("");
        }
    }
}

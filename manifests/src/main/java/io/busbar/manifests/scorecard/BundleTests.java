package io.busbar.manifests.scorecard;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.manifests.scorecard.TestResult.State;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * The tests of operator-sdk's scorecard, by their names there. They pass and fail where those do; some suggest more.
 *
 * <p>Immutable.
 *
 * @param name as in results; with {@code -test} behind it, as in the label {@code test}
 */
record BundleTests(String name, String suite, Function<BundleFolder, TestResult> check) {

    /** All, in the order in which operator-sdk lists them. */
    static final List<BundleTests> ALL = List.of(
            new BundleTests("basic-check-spec", "basic", BundleTests::everyExampleHasASpec),
            new BundleTests("olm-bundle-validation", "olm", bundle -> new BundleValidation(bundle).result()),
            new BundleTests("olm-crds-have-validation", "olm", BundleTests::schemasKnowTheExamples),
            new BundleTests("olm-crds-have-resources", "olm", BundleTests::ownedKindsHaveResources),
            new BundleTests("olm-spec-descriptors", "olm", BundleTests::specsAreDescribed),
            new BundleTests("olm-status-descriptors", "olm", BundleTests::statusesAreDescribed));

    TestResult on(BundleFolder bundle) {
        boolean readsAll = name.equals("olm-bundle-validation");
        if (!readsAll && bundle.serviceVersion().isEmpty()) {
            return error("no ClusterServiceVersion can be read");
        }
        if (!readsAll && bundle.unreadableExamples().isPresent()) {
            return error(bundle.unreadableExamples().get());
        }
        return check.apply(bundle);
    }

    private TestResult error(String reason) {
        return new TestResult(name, State.ERROR, List.of(), List.of(reason), List.of());
    }

    private static TestResult everyExampleHasASpec(BundleFolder bundle) {
        Findings found = new Findings("basic-check-spec", bundle);
        bundle.examples().stream()
                .filter(example -> isAbsent(example.path("spec")))
                .forEach(example ->
                        found.errors.add("error spec does not exist for the custom resource " + name(example)));
        return found.result();
    }

    private static TestResult schemasKnowTheExamples(BundleFolder bundle) {
        Findings found = new Findings("olm-crds-have-validation", bundle);
        for (ObjectNode example : bundle.examples()) {
            String kind = example.path("kind").asText();
            String version = version(example);
            for (ObjectNode definition : bundle.definitions()) {
                BundleFolder.versions(definition).stream()
                        .filter(one -> one.path("name").asText().equalsIgnoreCase(version))
                        .filter(one ->
                                definition.at("/spec/names/kind").asText().equalsIgnoreCase(kind))
                        .forEach(one -> fieldsAreKnown(found, example, definition, one));
            }
        }
        return found.result();
    }

    private static void fieldsAreKnown(Findings found, ObjectNode example, ObjectNode definition, JsonNode version) {
        String versioned = example.path("kind").asText() + "/" + version(example);
        JsonNode schema = BundleFolder.schema(definition, version);
        if (schema.isMissingNode()) {
            found.suggestions.add("Add CRD validation for " + versioned);
            return;
        }
        for (String part : List.of("spec", "status")) {
            for (String field : names(example.path(part))) {
                if (!schema.at("/properties/" + part + "/properties").has(field)) {
                    found.errors.add(part + "." + field + " of " + versioned + " is not in the schema");
                    found.suggestions.add("Add CRD validation for " + part + " field `" + field + "` in " + versioned);
                }
            }
        }
    }

    private static TestResult ownedKindsHaveResources(BundleFolder bundle) {
        Findings found = new Findings("olm-crds-have-resources", bundle);
        bundle.owned().stream()
                .filter(owned -> owned.path("resources").isEmpty())
                .forEach(owned -> found.errors.add("Owned CRDs do not have resources specified: "
                        + owned.path("name").asText() + " "
                        + owned.path("version").asText()));
        return found.result();
    }

    private static TestResult specsAreDescribed(BundleFolder bundle) {
        Findings found = new Findings("olm-spec-descriptors", bundle);
        for (ObjectNode example : bundle.examples()) {
            Optional<JsonNode> owned = ownedOrError(found, bundle, example);
            if (isAbsent(example.path("spec"))) {
                found.errors.add("error spec does not exist for the custom resource " + name(example));
            } else if (owned.isPresent()) {
                specIsDescribed(found, bundle, example, owned.get());
            }
        }
        return found.result();
    }

    /** Of the fields that only the schema has, operator-sdk knows nothing. */
    private static void specIsDescribed(Findings found, BundleFolder bundle, ObjectNode example, JsonNode owned) {
        Set<String> described = new TreeSet<>(BundleFolder.texts(owned.path("specDescriptors"), "path"));
        Set<String> shown = new TreeSet<>(names(example.path("spec")));
        shown.removeAll(described);
        shown.forEach(field -> {
            found.errors.add(field + " does not have a spec descriptor");
            found.suggestions.add("Add a spec descriptor for " + field);
        });
        Set<String> unseen = new TreeSet<>(fields(bundle, owned, "spec"));
        unseen.removeAll(described);
        unseen.removeAll(shown);
        unseen.forEach(field -> found.suggestions.add("Add a spec descriptor for " + field + " of "
                + owned.path("name").asText() + ", which no example shows"));
    }

    private static TestResult statusesAreDescribed(BundleFolder bundle) {
        Findings found = new Findings("olm-status-descriptors", bundle);
        for (ObjectNode example : bundle.examples()) {
            ownedOrError(found, bundle, example).ifPresent(owned -> {
                String name = owned.path("name").asText();
                boolean undescribed = owned.path("statusDescriptors").isEmpty();
                if (!names(example.path("status")).isEmpty() && undescribed) {
                    found.errors.add(name + " does not have a status descriptor");
                    found.suggestions.add("add status descriptor for the crd " + name);
                } else if (undescribed && !fields(bundle, owned, "status").isEmpty()) {
                    found.suggestions.add("add status descriptor for the crd " + name + ", whose schema has a status");
                } else if (fields(bundle, owned, "status").isEmpty()) {
                    found.suggestions.add(name + " does not have status spec: a resource whose state may differ from"
                            + " what is wanted should have one");
                }
            });
        }
        return found.result();
    }

    private static Optional<JsonNode> ownedOrError(Findings found, BundleFolder bundle, ObjectNode example) {
        Optional<JsonNode> owned = bundle.owned(example);
        if (owned.isEmpty()) {
            found.errors.add("Failed to find an owned CRD for CR " + name(example) + " with GVK "
                    + example.path("apiVersion").asText() + ", Kind="
                    + example.path("kind").asText());
        }
        return owned;
    }

    /** Of a part of an owned kind, by its schema. */
    private static List<String> fields(BundleFolder bundle, JsonNode owned, String part) {
        return bundle.definitions().stream()
                .filter(definition -> definition.at("/metadata/name").equals(owned.path("name")))
                .flatMap(definition -> BundleFolder.versions(definition).stream()
                        .filter(version -> version.path("name").equals(owned.path("version")))
                        .flatMap(
                                version -> names(BundleFolder.schema(definition, version)
                                                .at("/properties/" + part + "/properties"))
                                        .stream()))
                .toList();
    }

    private static List<String> names(JsonNode object) {
        List<String> names = new ArrayList<>();
        object.fieldNames().forEachRemaining(names::add);
        return names;
    }

    private static boolean isAbsent(JsonNode value) {
        return value.isMissingNode() || value.isNull();
    }

    private static String name(ObjectNode example) {
        return example.at("/metadata/name").asText();
    }

    private static String version(ObjectNode example) {
        return example.path("apiVersion").asText().replaceFirst(".*/", "").toLowerCase(Locale.ROOT);
    }

    /** What a test collects. One thread. */
    private static final class Findings {

        private final String test;
        private final List<String> log;
        private final List<String> errors = new ArrayList<>();
        private final List<String> suggestions = new ArrayList<>();

        Findings(String test, BundleFolder bundle) {
            this.test = test;
            this.log = List.of(
                    "Loaded ClusterServiceVersion: "
                            + bundle.serviceVersion()
                                    .map(version -> version.at("/metadata/name").asText())
                                    .orElse("none"),
                    "Loaded " + bundle.examples().size() + " Custom Resources from alm-examples");
        }

        TestResult result() {
            return TestResult.of(
                    test,
                    log,
                    errors.stream().distinct().toList(),
                    suggestions.stream().distinct().toList());
        }
    }
}

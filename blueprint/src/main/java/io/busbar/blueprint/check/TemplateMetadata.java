package io.busbar.blueprint.check;

import io.busbar.blueprint.BlueprintResource;
import io.busbar.blueprint.source.Problems;
import io.busbar.blueprint.source.SourceNode;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * What the metadata of a template must say, and what it must not: each variable of a collection tells its objects
 * apart, and labels and annotations are none that the operator itself writes.
 *
 * <p>One thread.
 */
final class TemplateMetadata {

    /** Begins the names of labels and annotations that the operator alone writes, whatever there will be. */
    private static final String OWN = "blueprints.busbar.io/";

    private static final String PART_OF = "applyset.kubernetes.io/part-of";

    private final BlueprintResource resource;
    private final Problems problems;

    TemplateMetadata(BlueprintResource resource, Problems problems) {
        this.resource = resource;
        this.problems = problems;
    }

    /**
     * @param namespaced whether its objects are in namespaces
     * @param texts those of the template that are right
     */
    void check(boolean namespaced, Map<SourceNode, CheckedText> texts) {
        checkVariables(namespaced ? List.of("name", "namespace") : List.of("name"), texts);
        checkKeys("labels");
        checkKeys("annotations");
    }

    private void checkVariables(List<String> fields, Map<SourceNode, CheckedText> texts) {
        List<SourceNode> written = fields.stream()
                .map(field -> resource.body().at("metadata", field))
                .filter(Objects::nonNull)
                .filter(node -> TextParts.hasExpressions(node.text()))
                .toList();
        List<Formula> identity = written.stream()
                .flatMap(node -> Optional.ofNullable(texts.get(node)).stream())
                .flatMap(CheckedText::formulas)
                .toList();
        if (!texts.keySet().containsAll(written)) {
            return; // One of them is wrong, which has been told.
        }
        for (BlueprintResource.Iterator variable : resource.forEach()) {
            boolean used = identity.stream().anyMatch(formula -> formula.names().contains(variable.name()));
            if (!used) {
                problems.add(
                        variable.list().keyPlace(),
                        "'" + variable.name()
                                + "' must be in the name or the namespace of the template: else several items ask for"
                                + " one object");
            }
        }
    }

    private void checkKeys(String field) {
        SourceNode map = resource.external() ? null : resource.body().at("metadata", field);
        if (map == null) {
            return;
        }
        map.entries().forEach(entry -> {
            String key = entry.getKey();
            if (key.startsWith(OWN) || key.equals(PART_OF)) {
                problems.add(
                        entry.getValue().keyPlace(), "'" + key + "' is what the operator itself writes: leave it out");
            }
        });
    }
}

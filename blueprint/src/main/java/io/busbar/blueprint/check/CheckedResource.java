package io.busbar.blueprint.check;

import io.busbar.blueprint.BlueprintResource;
import io.busbar.blueprint.source.SourceNode;
import io.busbar.blueprint.types.KindType;
import io.busbar.blueprint.types.Shape;
import io.busbar.common.ResourceType;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A resource whose expressions have been checked.
 *
 * <p>Any thread.
 *
 * @param type of its kind; empty for one that nobody knows
 * @param shape of one of its objects
 * @param texts those with expressions, by the very node that they stand in
 * @param dependencies the ids that its expressions read
 */
public record CheckedResource(
        BlueprintResource resource,
        Optional<KindType> type,
        Shape shape,
        List<Formula> includeWhen,
        List<Formula> readyWhen,
        List<Iterator> forEach,
        Map<SourceNode, CheckedText> texts,
        Set<String> dependencies) {

    private static final Pattern OWN_NAMESPACE = Pattern.compile("\\$\\{\\s*schema\\.metadata\\.namespace\\s*}");

    /** A variable that takes each item of a list. */
    public record Iterator(String name, Formula list, Shape item) {}

    public String id() {
        return resource.id();
    }

    /** Its kind, as the API server serves it; guessed where it is not known. */
    public ResourceType served() {
        return KindType.served(resource.apiVersion(), resource.kind(), type);
    }

    /** Whether its objects may be in another namespace than an instance that is in one, or are in none. */
    public boolean mayBeElsewhere() {
        return !resource.external()
                && (!served().namespaced()
                        || resource.namespace()
                                .filter(node -> !isOwnNamespace(node))
                                .isPresent());
    }

    /** Whether this is the expression for the namespace of the instance, and nothing else. */
    static boolean isOwnNamespace(SourceNode node) {
        return node.isText() && OWN_NAMESPACE.matcher(node.text()).matches();
    }

    Stream<Formula> formulas() {
        return Stream.of(
                        includeWhen.stream(),
                        readyWhen.stream(),
                        forEach.stream().map(Iterator::list),
                        texts.values().stream().flatMap(CheckedText::formulas))
                .flatMap(all -> all);
    }
}

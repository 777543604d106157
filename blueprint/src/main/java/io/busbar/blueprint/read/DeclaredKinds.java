package io.busbar.blueprint.read;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.busbar.blueprint.Blueprint;
import io.busbar.blueprint.check.BlueprintCheck;
import io.busbar.blueprint.check.CheckedBlueprint;
import io.busbar.blueprint.definition.Definition;
import io.busbar.blueprint.source.Problems;
import io.busbar.blueprint.types.KindType;
import io.busbar.blueprint.types.OpenApiTypes;
import io.busbar.blueprint.types.Shape;
import io.busbar.blueprint.types.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The kinds of Blueprints that are checked together. Each is checked once: in its turn, or before that when another
 * one has instances of it, and asks what its status is. A status may be anything where its Blueprint has problems, and
 * where it is asked for while that is being checked, as in a circle.
 *
 * <p>One thread.
 */
final class DeclaredKinds implements Types {

    private static final JsonNode ANYTHING = JsonNodeFactory.instance
            .objectNode()
            .put("type", "object")
            .put("x-kubernetes-preserve-unknown-fields", true);

    private final Types types;
    private final Shape metadata;
    private final List<Declared> all = new ArrayList<>();

    private static final class Declared {
        private final Blueprint blueprint;
        private final Problems problems;
        private boolean begun;
        private @Nullable CheckedBlueprint checked;

        Declared(Blueprint blueprint, Problems problems) {
            this.blueprint = blueprint;
            this.problems = problems;
        }
    }

    /**
     * @param types what is known of all kinds, from those of Blueprints
     * @param metadata of instances
     */
    DeclaredKinds(Function<Types, Types> types, Shape metadata) {
        this.types = types.apply(this);
        this.metadata = metadata;
    }

    /** @param problems takes what is wrong with it, beside what is there */
    void add(Blueprint blueprint, Problems problems) {
        all.add(new Declared(blueprint, problems));
    }

    /** Those that were added, in that order; of no use where they have problems. */
    List<CheckedBlueprint> checked() {
        return all.stream().map(this::checked).toList();
    }

    private CheckedBlueprint checked(Declared one) {
        CheckedBlueprint checked = one.checked;
        if (checked == null) {
            one.begun = true;
            checked = BlueprintCheck.check(one.blueprint, types, metadata, one.problems);
            one.checked = checked;
        }
        return checked;
    }

    @Override
    public Optional<KindType> find(String apiVersion, String kind) {
        return all.stream()
                .filter(one -> one.blueprint.schema().kind().equals(kind)
                        && one.blueprint.schema().apiVersion().equals(apiVersion))
                .findFirst()
                .flatMap(one -> OpenApiTypes.of(Definition.of(one.blueprint.schema(), status(one)), metadata)
                        .find(apiVersion, kind));
    }

    private JsonNode status(Declared one) {
        if (one.begun && one.checked == null) {
            return ANYTHING;
        }
        JsonNode status = checked(one).statusSchema();
        return one.problems.isEmpty() ? status : ANYTHING;
    }
}

package io.busbar.sandbox.resource;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.apply.ListTopology;
import io.busbar.sandbox.patch.MergeKeys;
import io.busbar.sandbox.status.FieldCause;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rules of a kind, and one more check of its objects.
 *
 * <p>Immutable.
 */
public record CheckedRules(KindRules rules, Check check) implements KindRules {

    /** Tells what is wrong with an object. */
    @FunctionalInterface
    public interface Check {

        /** @param before null for a creation */
        List<FieldCause> of(ObjectNode object, @Nullable ObjectNode before);
    }

    @Override
    public List<FieldCause> validate(ObjectNode object, @Nullable ObjectNode before, String subresource) {
        List<FieldCause> causes = new ArrayList<>(rules.validate(object, before, subresource));
        causes.addAll(check.of(object, before));
        return causes;
    }

    @Override
    public ObjectNode decode(ObjectNode object) {
        return rules.decode(object);
    }

    @Override
    public List<String> unknownFields(ObjectNode object) {
        return rules.unknownFields(object);
    }

    @Override
    public void prepareForCreate(ObjectNode object) {
        rules.prepareForCreate(object);
    }

    @Override
    public void prepareForUpdate(ObjectNode object, ObjectNode before, String subresource) {
        rules.prepareForUpdate(object, before, subresource);
    }

    @Override
    public boolean mergesStrategically() {
        return rules.mergesStrategically();
    }

    @Override
    public ObjectNode admit(ObjectNode object) {
        return rules.admit(object);
    }

    @Override
    public ListTopology lists() {
        return rules.lists();
    }

    @Override
    public MergeKeys mergeKeys() {
        return rules.mergeKeys();
    }
}

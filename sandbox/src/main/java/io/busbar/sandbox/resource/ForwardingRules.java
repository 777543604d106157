package io.busbar.sandbox.resource;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.apply.FieldFilter;
import io.busbar.sandbox.apply.ListTopology;
import io.busbar.sandbox.patch.MergeKeys;
import io.busbar.sandbox.status.FieldCause;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Rules of a kind that has some of its own beside the standard ones.
 *
 * <p>Any thread, unless a kind's own rules say otherwise.
 */
public class ForwardingRules implements KindRules {

    private final KindRules standard;

    protected ForwardingRules(KindRules standard) {
        this.standard = standard;
    }

    @Override
    public ObjectNode decode(ObjectNode object) {
        return standard.decode(object);
    }

    @Override
    public List<String> unknownFields(ObjectNode object) {
        return standard.unknownFields(object);
    }

    @Override
    public List<FieldCause> nulls(ObjectNode configuration, boolean creates) {
        return standard.nulls(configuration, creates);
    }

    @Override
    public void prepareForCreate(ObjectNode object) {
        standard.prepareForCreate(object);
    }

    @Override
    public void prepareForUpdate(ObjectNode object, ObjectNode before, String subresource) {
        standard.prepareForUpdate(object, before, subresource);
    }

    @Override
    public List<FieldCause> validate(ObjectNode object, @Nullable ObjectNode before, String subresource) {
        return standard.validate(object, before, subresource);
    }

    @Override
    public List<String> warnings(ObjectNode object, @Nullable ObjectNode before) {
        return standard.warnings(object, before);
    }

    @Override
    public FieldFilter counted(String subresource) {
        return standard.counted(subresource);
    }

    @Override
    public boolean createsOnUpdate() {
        return standard.createsOnUpdate();
    }

    @Override
    public boolean updatesUnconditionally() {
        return standard.updatesUnconditionally();
    }

    @Override
    public boolean mergesStrategically() {
        return standard.mergesStrategically();
    }

    @Override
    public ObjectNode admit(ObjectNode object) {
        return standard.admit(object);
    }

    @Override
    public ListTopology lists() {
        return standard.lists();
    }

    @Override
    public MergeKeys mergeKeys() {
        return standard.mergeKeys();
    }
}

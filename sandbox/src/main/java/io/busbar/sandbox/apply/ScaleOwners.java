package io.busbar.sandbox.apply;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Who owns the replicas of an object, seen from its Scale and back.
 *
 * <p>Immutable.
 *
 * @param paths such as {@code .spec.replicas}, by the object's apiVersion; null for a version without
 * @param apiVersion of the object as the request speaks of it
 */
public record ScaleOwners(Function<String, @Nullable String> paths, String apiVersion) {

    static final String SCALE = "autoscaling/v1";
    private static final FieldSet REPLICAS = FieldSet.of("spec", "replicas");

    /** The scale with those for managers who own the object's replicas. */
    public ObjectNode ofScale(ObjectNode object, ObjectNode scale) {
        Ownership owners = new Ownership();
        Ownership whole = Ownership.of(object);
        if (whole != null) {
            whole.forEach((owner, version, time) -> {
                if (owns(whole, owner, version)) {
                    owners.set(inScale(owner), REPLICAS, SCALE);
                    owners.setTime(inScale(owner), time);
                }
            });
        }
        return owners.writeTo(scale);
    }

    /** The changed object with those for managers who own the replicas of the changed scale, and no others. */
    public ObjectNode ofObject(ObjectNode changed, ObjectNode scale) {
        Ownership whole = Ownership.of(changed);
        Ownership ofScale = Ownership.of(scale);
        Ownership owners = new Ownership();
        if (whole == null || ofScale == null) {
            return changed;
        }
        whole.forEach((owner, version, time) -> {
            FieldSet fields = whole.fields(owner);
            boolean lost = owns(whole, owner, version)
                    && ofScale.fields(inScale(owner)).isEmpty();
            owners.set(owner, lost ? fields.minus(path(version)) : fields, version);
            owners.setTime(owner, time);
        });
        ofScale.forEach((owner, version, time) -> {
            Owner own = owner.applies() ? owner : owner.in(apiVersion);
            owners.set(own, owners.fields(own).union(path(apiVersion)), apiVersion);
            owners.setTime(own, time);
        });
        return owners.writeTo(changed);
    }

    private boolean owns(Ownership owners, Owner owner, String version) {
        return !owners.fields(owner).intersection(path(version)).isEmpty();
    }

    private static Owner inScale(Owner owner) {
        return owner.applies() ? owner : owner.in(SCALE);
    }

    private FieldSet path(String version) {
        String path = paths.apply(version);
        return path == null ? FieldSet.EMPTY : FieldSet.of(path.substring(1).split("\\.", -1));
    }
}

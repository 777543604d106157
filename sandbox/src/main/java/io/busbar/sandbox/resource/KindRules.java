package io.busbar.sandbox.resource;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.apply.FieldFilter;
import io.busbar.sandbox.apply.ListTopology;
import io.busbar.sandbox.patch.MergeKeys;
import io.busbar.sandbox.status.FieldCause;
import io.busbar.sandbox.table.Columns;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is particular to one kind in one version: what decoding fills in, what a write may set, what is valid.
 *
 * <p>Any thread. Objects that are passed to be changed are in the caller's hands and not shared.
 */
public interface KindRules {

    /**
     * Sets defaults and drops what the kind doesn't know.
     *
     * @return the object itself, changed, or a copy
     */
    ObjectNode decode(ObjectNode object);

    /**
     * Paths of the fields that decoding would drop because the kind doesn't know them; none for a kind that keeps all.
     */
    List<String> unknownFields(ObjectNode object);

    /**
     * What is null in an applied configuration, and must not be: in others decoding drops it, which these never
     * undergo.
     *
     * @param creates whether there is no object yet; where there is one, an object or a list that is null changes
     *     nothing
     */
    default List<FieldCause> nulls(ObjectNode configuration, boolean creates) {
        return List.of();
    }

    /** Resets what a client cannot set when it creates an object. */
    void prepareForCreate(ObjectNode object);

    /**
     * Resets what this write cannot change, and sets the generation.
     *
     * @param subresource {@code status}, {@code ephemeralcontainers}, ...; empty for the object itself
     */
    void prepareForUpdate(ObjectNode object, ObjectNode before, String subresource);

    /** Tells in an object that it is going, as it is marked for its deletion. */
    default void prepareForDelete(ObjectNode object, Instant now) {}

    /** @param before null for a creation */
    List<FieldCause> validate(ObjectNode object, @Nullable ObjectNode before, String subresource);

    /**
     * What whoever writes is told of besides, though it is allowed.
     *
     * @param before null for a creation
     */
    default List<String> warnings(ObjectNode object, @Nullable ObjectNode before) {
        return List.of();
    }

    /** Whether {@link #warnings} are told of what is refused. */
    default boolean warnsOfRefused(List<FieldCause> causes) {
        return false;
    }

    /** Why nobody may delete an object of this name; empty for one that may be deleted. */
    default String refusalOfDeletion(String name) {
        return "";
    }

    /** What whoever deletes is told of, if they do not say what becomes of dependents. */
    default List<String> warningsOfDeletion() {
        return List.of();
    }

    /** Whether a PUT makes what is not there. */
    default boolean createsOnUpdate() {
        return false;
    }

    /** Whether a PUT may do without a resourceVersion. */
    default boolean updatesUnconditionally() {
        return false;
    }

    /** Whether strategic merge patches are understood. */
    default boolean mergesStrategically() {
        return false;
    }

    /** What the server itself adds to an object that is created, before webhooks see it. */
    default ObjectNode admit(ObjectNode object) {
        return object;
    }

    /**
     * The fields that a write counts for, in who owns what: those that {@link #prepareForUpdate} does not reset.
     *
     * @param subresource empty for the object itself
     */
    FieldFilter counted(String subresource);

    /** How server-side apply, and who owns what, treat the values of this kind. */
    ListTopology lists();

    /** How strategic merge patches treat the lists of this kind. */
    default MergeKeys mergeKeys() {
        return MergeKeys.NONE;
    }

    /** How tables show objects of this kind. */
    Columns columns();
}

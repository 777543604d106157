package io.busbar.common.condition;

import io.fabric8.kubernetes.api.model.Condition;
import java.util.List;

/** A status that tells by conditions: a record with a component of this name has all that is needed. */
public interface HasConditions {

    /** Each type at most once. */
    List<Condition> conditions();
}

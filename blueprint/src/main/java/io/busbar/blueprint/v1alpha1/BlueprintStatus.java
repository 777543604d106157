package io.busbar.blueprint.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.busbar.common.condition.HasConditions;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What has come of a Blueprint. Immutable, but for the fabric8 models within.
 *
 * @param conditions Ready
 * @param observedGeneration the generation that the status is for
 * @param definition the name of the definition of its kind
 * @param definitionGeneration the generation of the definition as it was last written here: another one has been
 *     changed by somebody else
 * @param revision by whose ControllerRevision instances are reconciled; another than the newest where that is not fit
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonIgnoreProperties(ignoreUnknown = true)
public record BlueprintStatus(
        List<Condition> conditions,
        long observedGeneration,
        @Nullable String definition,
        @Nullable Long definitionGeneration,
        @Nullable Long revision)
        implements HasConditions {

    public BlueprintStatus {
        conditions = conditions == null ? List.of() : List.copyOf(conditions);
    }
}

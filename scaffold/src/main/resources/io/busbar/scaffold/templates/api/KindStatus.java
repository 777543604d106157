package @{types};

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.busbar.common.condition.HasConditions;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.List;

/**
 * What has come of a @{Kind}.
 *
 * @param conditions Ready: whether all is as the spec asks. Say here what other conditions of yours mean
 * @param observedGeneration the generation of the spec that the rest is for
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonIgnoreProperties(ignoreUnknown = true)
public record @{Kind}Status(List<Condition> conditions, long observedGeneration) implements HasConditions {

    public @{Kind}Status {
        conditions = conditions == null ? List.of() : List.copyOf(conditions);
    }
}

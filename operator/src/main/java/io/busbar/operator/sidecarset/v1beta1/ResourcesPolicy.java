package io.busbar.operator.sidecarset.v1beta1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Required;
import org.jspecify.annotations.Nullable;

/**
 * Resources worked out from those of the Pod's containers at injection.
 *
 * <p>Immutable.
 *
 * @param targetContainersMode sum or max: which number of the containers the expressions begin with
 * @param targetContainersNameRegex names of the containers that count; all by default
 * @param resourcesExpr expressions for limits and requests
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonIgnoreProperties(ignoreUnknown = true)
public record ResourcesPolicy(
        @Required String targetContainersMode,
        @Nullable @Default(".*") String targetContainersNameRegex,
        @Required ResourceExpressions resourcesExpr) {

    public static final String SUM = "sum";
    public static final String MAX = "max";
}

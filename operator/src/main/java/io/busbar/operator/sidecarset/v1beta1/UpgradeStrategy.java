package io.busbar.operator.sidecarset.v1beta1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.fabric8.generator.annotation.Default;
import org.jspecify.annotations.Nullable;

/**
 * How a sidecar's image is changed in a running Pod.
 *
 * <p>Immutable.
 *
 * @param upgradeType ColdUpgrade, the default, or HotUpgrade
 * @param hotUpgradeEmptyImage what the idle one of the two containers of a hot upgrade runs
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonIgnoreProperties(ignoreUnknown = true)
public record UpgradeStrategy(
        @Nullable @Default(UpgradeStrategy.COLD) String upgradeType,
        @Nullable String hotUpgradeEmptyImage) {

    public static final String COLD = "ColdUpgrade";
    public static final String HOT = "HotUpgrade";
}

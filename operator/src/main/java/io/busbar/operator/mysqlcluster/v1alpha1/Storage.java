package io.busbar.operator.mysqlcluster.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.kubernetes.api.model.Quantity;
import org.jspecify.annotations.Nullable;

/**
 * What each server keeps its data on.
 *
 * <p>Immutable.
 *
 * @param size how large each server's volume is; it can grow where the class allows that
 * @param storageClassName class of the volumes; the Kubernetes cluster's default if left out
 * @param readOnlyBelowPercent how much of the primary's volume must be free for it to take writes; it takes them again
 *     with half as much more. Of MariaDB alone, which tells how much is free. If left out, it writes until the volume is
 *     full
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonIgnoreProperties(ignoreUnknown = true)
public record Storage(
        @Default("1Gi") Quantity size,
        @Nullable String storageClassName,
        @Nullable @Min(1) @Max(50) Integer readOnlyBelowPercent) {

    static final Storage STANDARD = new Storage(new Quantity("1Gi"), null, null);

    public Storage {
        size = size == null ? new Quantity("1Gi") : size;
    }
}

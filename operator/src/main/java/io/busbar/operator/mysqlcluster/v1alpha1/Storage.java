package io.busbar.operator.mysqlcluster.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.fabric8.generator.annotation.Default;
import io.fabric8.kubernetes.api.model.Quantity;
import org.jspecify.annotations.Nullable;

/**
 * What each server keeps its data on.
 *
 * <p>Immutable.
 *
 * @param size how large each server's volume is
 * @param storageClassName class of the volumes; the Kubernetes cluster's default if left out
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonIgnoreProperties(ignoreUnknown = true)
public record Storage(
        @Default("1Gi") Quantity size, @Nullable String storageClassName) {

    static final Storage STANDARD = new Storage(new Quantity("1Gi"), null);

    public Storage {
        size = size == null ? new Quantity("1Gi") : size;
    }
}

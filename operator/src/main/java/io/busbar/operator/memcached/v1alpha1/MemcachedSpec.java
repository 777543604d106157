package io.busbar.operator.memcached.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a Memcached's author wants. Immutable.
 *
 * @param size how many servers there are
 * @param containerPort the port on which each server listens
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonIgnoreProperties(ignoreUnknown = true)
public record MemcachedSpec(
        @Nullable @Default("1") @Min(1) @Max(3) Integer size,
        @Nullable @Default("11211") @Min(1) @Max(65535) Integer containerPort) {

    /** The same, with the schema's defaults where nothing is said. */
    public MemcachedSpec withDefaults() {
        return new MemcachedSpec(Objects.requireNonNullElse(size, 1), Objects.requireNonNullElse(containerPort, 11211));
    }
}

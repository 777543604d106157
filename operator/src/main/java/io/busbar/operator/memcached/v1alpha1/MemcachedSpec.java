package io.busbar.operator.memcached.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a Memcached's author wants.
 *
 * <p>Immutable.
 *
 * @param size how many servers
 * @param containerPort on which each listens
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonIgnoreProperties(ignoreUnknown = true)
public record MemcachedSpec(
        @Nullable @Default("1") @Min(1) @Max(3) Integer size,
        @Nullable @Default("11211") @Min(1) @Max(65535) Integer containerPort) {

    /** What an object without a spec stands for. */
    public static MemcachedSpec empty() {
        return new MemcachedSpec(null, null);
    }

    /** A spec that says everything: what it leaves out, as the schema has it. */
    public static MemcachedSpec withDefaults(@Nullable MemcachedSpec spec) {
        MemcachedSpec given = Objects.requireNonNullElseGet(spec, MemcachedSpec::empty);
        return new MemcachedSpec(
                Objects.requireNonNullElse(given.size, 1), Objects.requireNonNullElse(given.containerPort, 11211));
    }
}

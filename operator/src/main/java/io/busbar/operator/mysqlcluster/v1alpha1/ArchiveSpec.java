package io.busbar.operator.mysqlcluster.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Min;

/**
 * How binary logs are archived beside the backups, so that a backup can be rolled forward.
 *
 * <p>Immutable; numbers are never null.
 *
 * @param intervalSeconds how old a write may be before it is archived: what is lost at most when all members are
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonIgnoreProperties(ignoreUnknown = true)
public record ArchiveSpec(@Default("300") @Min(10) Integer intervalSeconds) {

    public ArchiveSpec {
        intervalSeconds = Present.number(intervalSeconds, 300);
    }
}

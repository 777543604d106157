package io.busbar.operator.mysqlcluster.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import org.jspecify.annotations.Nullable;

/**
 * How the passwords that the operator made up are changed: those of root, the operator and replicas, while statements
 * and replication go on. The annotation {@code rotate-passwords} asks for it at any time.
 *
 * <p>Immutable; numbers are never null.
 *
 * @param schedule when they are changed, in five fields of cron; not by themselves if left out. A time that was missed
 *     is caught up on
 * @param timeZone the time zone of the schedule, by its name in the IANA database; UTC if left out
 * @param application whether the password of programs is changed with them; who uses it has to read the Secret again
 * @param passwordRetentionSeconds for how many seconds the old passwords let in, too, after the Secret has changed
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonIgnoreProperties(ignoreUnknown = true)
public record RotationSpec(
        @Nullable String schedule,
        @Nullable String timeZone,
        @Default("false") boolean application,
        @Default("600") @Min(0) @Max(2592000) Integer passwordRetentionSeconds) {

    static final RotationSpec STANDARD = new RotationSpec(null, null, false, 600);

    public RotationSpec {
        passwordRetentionSeconds = Present.number(passwordRetentionSeconds, 600);
    }
}

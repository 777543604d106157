package io.busbar.operator.mysqlcluster.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Min;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Backups at set times.
 *
 * <p>Immutable; numbers and lists are never null.
 *
 * @param schedule when, in five fields of cron
 * @param timeZone the time zone of the schedule, by its name in the IANA database; UTC if left out
 * @param suspend whether the schedule rests
 * @param keep how many complete backups are kept
 * @param keepDays for how many days a complete backup is kept; the last one stays, however old it is. If left out, age
 *     does not matter
 * @param storage where they are kept; an own MySQLBackup may say otherwise
 * @param databases which databases are copied; all if empty
 * @param verification when the newest one is loaded to see whether it can be; never if left out
 * @param archive how binary logs are archived in the same storage, which must be S3; they are not if left out
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonIgnoreProperties(ignoreUnknown = true)
public record BackupSpec(
        @Nullable String schedule,
        @Nullable String timeZone,
        @Default("false") boolean suspend,
        @Default("7") @Min(1) Integer keep,
        @Nullable @Min(1) Integer keepDays,
        @Nullable BackupStorage storage,
        List<String> databases,
        @Nullable VerificationSpec verification,
        @Nullable ArchiveSpec archive) {

    public BackupSpec {
        keep = Present.number(keep, 7);
        databases = Present.list(databases);
    }
}

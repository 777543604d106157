package io.busbar.operator.mysqlcluster.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.busbar.common.condition.HasConditions;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What has come of a backup.
 *
 * <p>Immutable, but for the conditions; lists are never null.
 *
 * @param phase Pending, Running, Complete or Failed
 * @param startTime when it began, in RFC 3339
 * @param completionTime when it ended, in RFC 3339
 * @param source the Pod that was copied
 * @param gtid what the copy holds, as a GTID set
 * @param file the copy's path in the storage
 * @param sizeBytes the file's size in bytes
 * @param sha256 the file's SHA-256, in hexadecimal digits
 * @param message why it failed, for people
 * @param storage where the copy was put, whatever becomes of the cluster
 * @param verification what came of loading it into a server of its own, where that was asked for last
 * @param conditions Complete and Failed; Verified, once it was loaded to see whether it can be
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonIgnoreProperties(ignoreUnknown = true)
public record MySQLBackupStatus(
        @Nullable String phase,
        @Nullable String startTime,
        @Nullable String completionTime,
        @Nullable String source,
        @Nullable String gtid,
        @Nullable String file,
        @Nullable Long sizeBytes,
        @Nullable String sha256,
        @Nullable String message,
        @Nullable BackupStorage storage,
        @Nullable VerificationStatus verification,
        List<Condition> conditions)
        implements HasConditions {

    /** A condition's type. */
    public static final String COMPLETE = "Complete";

    /** A condition's type. */
    public static final String FAILED = "Failed";

    /** A condition's type. */
    public static final String VERIFIED = "Verified";

    /** Before anything was done. */
    public static final MySQLBackupStatus NONE = new Builder().build();

    public MySQLBackupStatus {
        conditions = Present.list(conditions);
    }

    /** The same, to be changed. */
    public Builder toBuilder() {
        return new Builder(this);
    }

    /** Puts a status together; what is not said stays as it was, or is as in {@link #NONE}. For one thread. */
    public static final class Builder {

        private @Nullable String phase;
        private @Nullable String startTime;
        private @Nullable String completionTime;
        private @Nullable String source;
        private @Nullable String gtid;
        private @Nullable String file;
        private @Nullable Long sizeBytes;
        private @Nullable String sha256;
        private @Nullable String message;
        private @Nullable BackupStorage storage;
        private @Nullable VerificationStatus verification;
        private List<Condition> conditions = List.of();

        public Builder() {}

        private Builder(MySQLBackupStatus before) {
            phase = before.phase;
            startTime = before.startTime;
            completionTime = before.completionTime;
            source = before.source;
            gtid = before.gtid;
            file = before.file;
            sizeBytes = before.sizeBytes;
            sha256 = before.sha256;
            message = before.message;
            storage = before.storage;
            verification = before.verification;
            conditions = before.conditions;
        }

        public Builder phase(String word) {
            phase = word;
            return this;
        }

        /**
         * What is copied.
         *
         * @param pod its name
         * @param since in RFC 3339
         */
        public Builder source(String pod, String since) {
            source = pod;
            startTime = since;
            return this;
        }

        /** @param time in RFC 3339 */
        public Builder ended(@Nullable String time) {
            completionTime = time;
            return this;
        }

        /** What has come of it. */
        public Builder copy(String path, long bytes, String checksum, String position) {
            file = path;
            sizeBytes = bytes;
            sha256 = checksum;
            gtid = position;
            return this;
        }

        public Builder message(String why) {
            message = why;
            return this;
        }

        public Builder storage(@Nullable BackupStorage place) {
            storage = place;
            return this;
        }

        public Builder verification(VerificationStatus outcome) {
            verification = outcome;
            return this;
        }

        public Builder conditions(List<Condition> all) {
            conditions = all;
            return this;
        }

        public MySQLBackupStatus build() {
            return new MySQLBackupStatus(
                    phase,
                    startTime,
                    completionTime,
                    source,
                    gtid,
                    file,
                    sizeBytes,
                    sha256,
                    message,
                    storage,
                    verification,
                    conditions);
        }
    }
}

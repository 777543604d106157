package io.busbar.operator.mysqlcluster.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import org.jspecify.annotations.Nullable;

/**
 * How replicas follow the primary.
 *
 * <p>Immutable; numbers are never null.
 *
 * @param semiSync whether a write is acknowledged only after a replica has it
 * @param acknowledgements with semiSync, how many replicas must have a write before it is acknowledged: so many
 *     members can be lost together with the primary's data, less one, and nothing that was acknowledged is. MariaDB's
 *     servers can wait for one only
 * @param maxLagSeconds by how many seconds a replica may be behind and still count as healthy
 * @param switchTimeoutSeconds for how many seconds a planned change of the primary may hold up writes
 * @param primaryOrdinal ordinal of the member that is to be the primary; any if left out
 * @param copyMethod how a new or diverged member is given another's data. Auto: its data files, which is faster and
 *     needs no Job, where both servers can do that: MySQL's with its clone plugin, MariaDB's where the name of the
 *     image has mariadb in it, and the image mariadb-backup, mbstream and socat; a dump else, and when that was broken
 *     off. Dump: always a dump
 * @param copyResources what the containers that give and take data files of MariaDB's servers are to have, each; where
 *     it is left out, the one before the server as much as that, and the one beside it 200m of CPU and 256Mi of memory
 *     of what resources bounds for the server. One that is ended for want of memory takes its server out of the
 *     Services for a moment
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonIgnoreProperties(ignoreUnknown = true)
public record ReplicationSpec(
        @Default("false") boolean semiSync,
        @Default("1") @Min(1) @Max(8) Integer acknowledgements,
        @Default("30") @Min(0) Integer maxLagSeconds,
        @Default("10") @Min(1) @Max(300) Integer switchTimeoutSeconds,
        @Nullable @Min(0) @Max(8) Integer primaryOrdinal,
        @Default("Auto") CopyMethod copyMethod,
        @Nullable ResourceRequirements copyResources) {

    static final ReplicationSpec STANDARD = new ReplicationSpec(false, 1, 30, 10, null, CopyMethod.Auto, null);

    public ReplicationSpec {
        acknowledgements = Present.number(acknowledgements, 1);
        maxLagSeconds = Present.number(maxLagSeconds, 30);
        switchTimeoutSeconds = Present.number(switchTimeoutSeconds, 10);
        copyMethod = copyMethod == null ? CopyMethod.Auto : copyMethod;
    }

    /** How many replicas each write waits for; 0 where it waits for none. */
    public int acknowledgementsRequired() {
        return semiSync ? acknowledgements : 0;
    }
}

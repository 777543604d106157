package io.busbar.operator.mysqlcluster.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import org.jspecify.annotations.Nullable;

/**
 * Which account is to be on the servers of a cluster. It may do nothing but log in until a MySQLGrant says more.
 *
 * <p>Immutable; what has a default is never null.
 *
 * @param clusterRef the cluster; cannot be changed
 * @param name its name on the servers; that of this object if left out; cannot be changed
 * @param host where it may come from: a name, an address, or a pattern of either with % and _; cannot be changed
 * @param passwordSecretKeyRef where its password is
 * @param passwordRetentionSeconds for how many seconds the old password lets in, too, after the Secret has changed; 0
 *     for not at all. MySQL only: with MariaDB, an account has one password at a time
 * @param require whether it may log in only over an encrypted connection: SSL, or None
 * @param maxUserConnections how many connections it may have at once; 0 for no limit
 * @param deletionPolicy what becomes of the account when this object is deleted
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonIgnoreProperties(ignoreUnknown = true)
public record MySQLUserSpec(
        @Required ClusterRef clusterRef,
        @Nullable @Size(min = 1, max = 128) String name,
        @Default("\"%\"") @Size(max = 255) String host,
        @Required SecretKeyRef passwordSecretKeyRef,
        @Default("600") @Min(0) @Max(2592000) Integer passwordRetentionSeconds,
        @Default("None") TlsRequirement require,
        @Default("0") @Min(0) @Max(100000) Integer maxUserConnections,
        @Default("Retain") DeletionPolicy deletionPolicy) {

    public MySQLUserSpec {
        host = host == null || host.isEmpty() ? "%" : host;
        passwordRetentionSeconds = Present.number(passwordRetentionSeconds, 600);
        require = require == null ? TlsRequirement.None : require;
        maxUserConnections = Present.number(maxUserConnections, 0);
        deletionPolicy = deletionPolicy == null ? DeletionPolicy.Retain : deletionPolicy;
    }
}

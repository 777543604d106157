package io.busbar.operator.mysqlcluster.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;

/**
 * An account of the servers, whoever made it.
 *
 * <p>Immutable; the host is never null.
 *
 * @param name its name on the servers
 * @param host where it may come from, as spec.host of a MySQLUser
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonIgnoreProperties(ignoreUnknown = true)
public record GrantedUser(
        @Required @Size(min = 1, max = 128) String name,
        @Default("\"%\"") @Size(max = 255) String host) {

    public GrantedUser {
        host = host == null || host.isEmpty() ? "%" : host;
    }
}

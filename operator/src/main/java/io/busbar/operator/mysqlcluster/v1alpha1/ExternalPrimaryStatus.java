package io.busbar.operator.mysqlcluster.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/**
 * How a cluster follows a server outside.
 *
 * <p>Immutable.
 *
 * @param host with its port
 * @param state how far that is
 * @param lagSeconds how far the member that follows it is behind; null where that is not known
 * @param gtid what that member has of it
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonIgnoreProperties(ignoreUnknown = true)
public record ExternalPrimaryStatus(
        String host,
        ExternalPrimaryState state,
        @Nullable Long lagSeconds,
        @Nullable String gtid) {}

package io.busbar.operator.mysqlcluster.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;

/**
 * Whose data a new cluster begins with.
 *
 * <p>Immutable.
 *
 * @param backupName a complete MySQLBackup of the same namespace
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonIgnoreProperties(ignoreUnknown = true)
public record BootstrapFrom(@Required @Size(min = 1) String backupName) {}

package io.busbar.operator.mysqlcluster.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/**
 * What is measured beside what the operator itself sees.
 *
 * <p>Immutable.
 *
 * @param exporter a program beside each server that tells Prometheus all that the server counts; none if left out
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonIgnoreProperties(ignoreUnknown = true)
public record MetricsSpec(@Nullable ExporterSpec exporter) {

    static final MetricsSpec NONE = new MetricsSpec(null);
}

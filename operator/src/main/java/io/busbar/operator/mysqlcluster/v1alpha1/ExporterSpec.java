package io.busbar.operator.mysqlcluster.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.busbar.manifests.crd.Atomic;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Prometheus' mysqld_exporter, in a container of its own in each member's Pod. Changing it restarts the members, one
 * after the other.
 *
 * <p>Immutable, but for the fabric8 model within; what has a default is never null.
 *
 * @param image image with mysqld_exporter, at least 0.15, and a shell
 * @param port port of the Pods on which it answers Prometheus; no container of the same Pod may have it, and none below
 *     1024 is free for it, as it is not root
 * @param resources what it asks of the node, and may use at most
 * @param args further arguments of mysqld_exporter, such as --collect.info_schema.innodb_metrics
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonIgnoreProperties(ignoreUnknown = true)
public record ExporterSpec(
        @Default(STANDARD_IMAGE) String image,
        @Default("9104") @Min(1024) @Max(65535) Integer port,
        @Nullable ResourceRequirements resources,
        @Atomic List<String> args) {

    private static final String STANDARD_IMAGE = "prom/mysqld-exporter:v0.20.0";

    public ExporterSpec {
        image = image == null ? STANDARD_IMAGE : image;
        port = Present.number(port, 9104);
        args = Present.list(args);
    }
}

package io.busbar.operator.mysqlcluster;

import io.busbar.common.ObjectKey;
import io.busbar.operator.mysqlcluster.backup.StorageImage;
import io.busbar.operator.mysqlcluster.observe.PodAddressing;
import io.busbar.runtime.bundle.BundleContext;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** What can be chosen about all MySQLClusters. For one thread. */
final class MySQLClusterFlags {

    @Option(
            names = "--pod-addressing",
            paramLabel = "HOW",
            converter = Converter.class,
            description =
                    "How database servers are reached. DNS: by the names of their Pods. PodIP: by the Pods' addresses, for an"
                            + " operator outside the cluster that has a route to them."
                            + " Default: DNS in a Pod of the cluster, else PodIP.")
    private @Nullable PodAddressing podAddressing;

    @Option(
            names = "--storage-image",
            paramLabel = "IMAGE",
            description = "The image of the containers that write backups to S3 and read them: one of this operator."
                    + " Default: that of the operator's own Pod.")
    private @Nullable String storageImage;

    StorageImage storageImage(BundleContext context) {
        String pod = context.inCluster() ? System.getenv("HOSTNAME") : null;
        return new StorageImage(
                Optional.ofNullable(storageImage),
                Optional.ofNullable(pod).map(name -> ObjectKey.of(context.namespace(), name)));
    }

    PodAddressing podAddressing(boolean inCluster) {
        if (podAddressing != null) {
            return podAddressing;
        }
        return inCluster ? PodAddressing.DNS : PodAddressing.POD_IP;
    }

    private static final class Converter implements ITypeConverter<PodAddressing> {

        @Override
        public PodAddressing convert(String value) {
            return switch (value) {
                case "DNS" -> PodAddressing.DNS;
                case "PodIP" -> PodAddressing.POD_IP;
                default -> throw new TypeConversionException("'" + value + "' is not allowed; allowed: DNS, PodIP");
            };
        }
    }
}

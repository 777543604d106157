package io.busbar.operator.mysqlcluster;

import io.busbar.operator.mysqlcluster.observe.PodAddressing;
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

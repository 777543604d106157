package io.busbar.operator.mysqlcluster.member;

import io.busbar.operator.mysqlcluster.objects.ClusterNames;
import io.busbar.operator.mysqlcluster.sql.Endpoint;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.Optional;

/** How the operator, and members, reach a Pod. Immutable. */
public enum PodAddressing {
    /** By its name in the headless Service, which stays when the Pod is made anew. */
    DNS,
    /** By its address, for an operator that is not in the cluster and has a route to the Pods. */
    POD_IP;

    /** Empty while the Pod has no address. */
    public Optional<Endpoint> endpoint(String cluster, Pod pod) {
        String address = pod.getStatus() == null ? null : pod.getStatus().getPodIP();
        if (address == null || address.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(new Endpoint(this == DNS ? name(cluster, pod) : address, ClusterNames.PORT));
    }

    private static String name(String cluster, Pod pod) {
        return pod.getMetadata().getName() + "." + ClusterNames.headless(cluster) + "."
                + pod.getMetadata().getNamespace() + ".svc";
    }
}

package io.busbar.operator.mysqlcluster.objects;

import io.busbar.operator.mysqlcluster.v1alpha1.MySQLCluster;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLClusterSpec;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;

/** Clusters as users write them. Pure. */
public final class TestClusters {

    private TestClusters() {}

    /**
     * @param spec in YAML
     */
    public static MySQLCluster cluster(String spec) {
        MySQLCluster cluster = new MySQLCluster();
        cluster.setMetadata(new ObjectMetaBuilder()
                .withName("db")
                .withNamespace("shop")
                .withUid("uid-db")
                .build());
        cluster.setSpec(new KubernetesSerialization().unmarshal("---\n" + spec, MySQLClusterSpec.class));
        return cluster;
    }
}

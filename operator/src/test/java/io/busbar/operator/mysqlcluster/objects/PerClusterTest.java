package io.busbar.operator.mysqlcluster.objects;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.common.ObjectKey;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLCluster;
import io.busbar.operator.sidecarset.StoredObjects;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import org.junit.jupiter.api.Test;

class PerClusterTest {

    private final StoredObjects<MySQLCluster> there = new StoredObjects<>();
    private final PerCluster<String> remembered = new PerCluster<>();

    @Test
    void keeps_what_is_remembered_of_clusters_that_are_there() {
        MySQLCluster one = cluster("one", "u-1");
        there.put(one);
        remembered.remember(one, "first", there);
        remembered.remember(cluster("two", "u-2"), "second", there);
        remembered.remember(one, "third", there);

        assertThat(remembered.of(one)).contains("third");
        assertThat(remembered.of(cluster("two", "u-2"))).contains("second");
    }

    @Test
    void forgets_those_that_are_gone_when_another_comes() {
        MySQLCluster one = cluster("one", "u-1");
        there.put(one);
        remembered.remember(one, "first", there);
        there.remove(ObjectKey.of(one));
        assertThat(remembered.of(one)).contains("first");

        remembered.remember(cluster("two", "u-2"), "second", there);

        assertThat(remembered.of(one)).isEmpty();
    }

    @Test
    void one_made_anew_under_the_same_name_is_another_one() {
        remembered.remember(cluster("one", "u-1"), "first", there);

        assertThat(remembered.of(cluster("one", "u-2"))).isEmpty();
    }

    private static MySQLCluster cluster(String name, String uid) {
        MySQLCluster cluster = new MySQLCluster();
        cluster.setMetadata(new ObjectMetaBuilder()
                .withName(name)
                .withNamespace("default")
                .withUid(uid)
                .build());
        return cluster;
    }
}

package io.busbar.testkit.dependents;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.common.ObjectKey;
import io.busbar.common.condition.Conditions;
import io.busbar.sandbox.testkit.TestNamespace;
import io.busbar.testkit.OperatorTest;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

@OperatorTest(bundles = ShopBundle.class)
class DependentsOperatorTest {

    private final KubernetesClient client;
    private final String namespace;

    DependentsOperatorTest(KubernetesClient client, @TestNamespace String namespace) {
        this.client = client;
        this.namespace = namespace;
    }

    @Test
    void a_slow_one_outside_the_cluster_holds_up_those_after_it() {
        ObjectKey slow = ObjectKey.of(namespace, "slow");
        Buckets.SLOW.add(slow);
        client.resource(Shop.of("slow", true)).create();
        assertThat(degradedOrProgressing("slow", "waiting for bucket")).isEqualTo("Progressing");
        assertThat(client.configMaps().withName("slow").get()).isNull();

        Buckets.SLOW.remove(slow);
        available("slow");
        assertThat(client.configMaps().withName("slow").require().getData())
                .containsEntry("bucket", "bucket://" + slow);
    }

    @Test
    void one_that_fails_is_told_of_and_tried_again() {
        ObjectKey away = ObjectKey.of(namespace, "away");
        Buckets.AWAY.add(away);
        client.resource(Shop.of("away", true)).create();
        assertThat(degradedOrProgressing("away", "bucket: no route to the provider"))
                .isEqualTo("Degraded");

        Buckets.AWAY.remove(away);
        available("away");
    }

    @Test
    void one_is_taken_away_and_made_again_as_it_is_asked_for() {
        client.resource(Shop.of("door", true)).create();
        available("door");
        String uid = client.services().withName("door").require().getMetadata().getUid();

        open("door", false);
        client.services().withName("door").waitUntilCondition(Objects::isNull, 60, TimeUnit.SECONDS);
        available("door");
        open("door", true);
        client.services()
                .withName("door")
                .waitUntilCondition(
                        service -> service != null
                                && !service.getMetadata().getUid().equals(uid),
                        30,
                        TimeUnit.SECONDS);
        available("door");
    }

    @Test
    void all_go_in_reverse_order_and_what_is_outside_last() {
        client.resource(Shop.of("going", true)).create();
        available("going");

        client.resources(Shop.class).withName("going").delete();
        client.resources(Shop.class).withName("going").waitUntilCondition(Objects::isNull, 60, TimeUnit.SECONDS);
        assertThat(Buckets.BUCKETS).doesNotContainKey(ObjectKey.of(namespace, "going"));
        assertThat(Buckets.LEFT).noneMatch(left -> left.endsWith(namespace + "/going"));
        assertThat(client.services().withName("going").get()).isNull();
    }

    private void open(String name, boolean open) {
        client.resources(Shop.class).withName(name).edit(shop -> shop.withSpec(new Shop.Spec(open)));
    }

    /** Which of the two is true, once the shop's conditions have this message. */
    private String degradedOrProgressing(String name, String message) {
        Shop shop = client.resources(Shop.class)
                .withName(name)
                .waitUntilCondition(
                        one -> one != null
                                && one.getStatus() != null
                                && one.getStatus().conditions().stream()
                                        .map(Condition::getMessage)
                                        .anyMatch(message::equals),
                        30,
                        TimeUnit.SECONDS);
        return Conditions.isTrue(shop.getStatus().conditions(), Conditions.DEGRADED)
                ? Conditions.DEGRADED
                : Conditions.PROGRESSING;
    }

    private void available(String name) {
        client.resources(Shop.class)
                .withName(name)
                .waitUntilCondition(
                        one -> one != null
                                && one.getStatus() != null
                                && one.getStatus().observedGeneration()
                                        == one.getMetadata().getGeneration()
                                && Conditions.isTrue(one.getStatus().conditions(), Conditions.AVAILABLE)
                                && !Conditions.isTrue(one.getStatus().conditions(), Conditions.PROGRESSING),
                        60,
                        TimeUnit.SECONDS);
    }
}

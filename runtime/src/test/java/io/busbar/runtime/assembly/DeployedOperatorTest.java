package io.busbar.runtime.assembly;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.busbar.common.ObjectKey;
import io.busbar.common.configuration.InvalidConfigurationException;
import io.busbar.reconciler.leader.LeaderElectionOptions;
import io.busbar.runtime.options.OperatorOptions;
import io.busbar.runtime.options.WebhookOptions;
import io.busbar.sandbox.testkit.KubernetesSandbox;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

@KubernetesSandbox
class DeployedOperatorTest {

    private static final ObjectKey DEPLOYMENT = ObjectKey.of("shop-system", "shop-controller-manager");
    private static final LeaderElectionOptions ELECTION = LeaderElectionOptions.of(
                    ObjectKey.of("shop-system", "shop-leader-election"))
            .as(LeaderElectionOptions.Candidacy.TAKES_OVER);

    @Test
    void is_found_by_the_labels_of_its_manifests_with_all_that_it_was_told(KubernetesClient client) {
        client.resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName("shop-system")
                        .endMetadata()
                        .build())
                .create();
        assertThat(DeployedOperator.of(client, "shop", "shop-system")).isEmpty();
        Deployment deployment = client.apps()
                .deployments()
                .load(DeployedOperatorTest.class.getResourceAsStream("deployment.yaml"))
                .item();
        client.resource(deployment).create();

        assertThat(DeployedOperator.of(client, "shop", "shop-system"))
                .contains(new DeployedOperator(
                        DEPLOYMENT, List.of("run", "--leader-elect", "--webhook-certs=self-signed")));
        assertThat(DeployedOperator.of(client, "till", "shop-system")).isEmpty();

        client.resource(deployment).scale(0);
        assertThat(DeployedOperator.of(client, "shop", "shop-system"))
                .as("without replicas")
                .isEmpty();
    }

    @Test
    void stands_by_when_it_elects_a_leader() {
        assertThatCode(() -> deployed("run", "--leader-elect").checkThatItStandsBy(taker(Optional.empty())))
                .doesNotThrowAnyException();
        assertThatCode(() -> deployed("--leader-election-id", "shop-leader-election", "--leader-elect")
                        .checkThatItStandsBy(taker(Optional.empty())))
                .as("a flag in two words")
                .doesNotThrowAnyException();
        assertThatCode(() -> deployed("--leader-elect=true", "--webhook-certs=self-signed")
                        .checkThatItStandsBy(taker(Optional.of("https://127.0.0.1:9443"))))
                .doesNotThrowAnyException();
    }

    @Test
    void is_refused_with_all_that_speaks_against_it() {
        assertThatExceptionOfType(InvalidConfigurationException.class)
                .isThrownBy(() -> deployed("run", "--leader-elect=false", "--leader-election-id=other")
                        .checkThatItStandsBy(taker(Optional.of("https://127.0.0.1:9443"))))
                .withMessageContaining(
                        "--take-over: 'from Deployment shop-system/shop-controller-manager, which runs without"
                                + " --leader-elect' is not allowed")
                .withMessageContaining("kubectl -n shop-system scale deployment shop-controller-manager --replicas=0")
                .withMessageContaining("--leader-election-id: 'shop-leader-election' is not allowed; allowed: other")
                .withMessageContaining("--webhook-url: 'https://127.0.0.1:9443' is not allowed; allowed: none");
    }

    private static DeployedOperator deployed(String... flags) {
        return new DeployedOperator(DEPLOYMENT, List.of(flags));
    }

    private static OperatorOptions taker(Optional<String> url) {
        OperatorOptions beside = OperatorOptions.besideCluster("shop");
        WebhookOptions before = beside.webhooks();
        return beside.toBuilder()
                .leaderElection(ELECTION)
                .webhooks(new WebhookOptions(
                        before.address(), before.certificates(), before.clientCa(), url, before.service(), false))
                .build();
    }
}

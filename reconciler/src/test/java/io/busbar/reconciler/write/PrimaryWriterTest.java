package io.busbar.reconciler.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.busbar.reconciler.CannedApi;
import io.busbar.reconciler.CannedApi.Answer;
import io.busbar.reconciler.MapListers;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.vertx.core.json.JsonObject;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PrimaryWriterTest {

    private CannedApi api;
    private PrimaryWriter<Deployment> writer;
    private final Deployment primary = new DeploymentBuilder()
            .withNewMetadata()
            .withNamespace("ns")
            .withName("a")
            .withUid("uid")
            .withResourceVersion("7")
            .addToFinalizers("other/finalizer")
            .endMetadata()
            .withNewStatus()
            .withReplicas(1)
            .withReadyReplicas(1)
            .endStatus()
            .build();

    @BeforeEach
    void start() throws Exception {
        api = new CannedApi();
        writer = new PrimaryWriter<>(
                Deployment.class,
                new ApiRequests(api.client()),
                new OwnWrites(new MapListers().watching(Deployment.class)));
    }

    @AfterEach
    void stop() throws Exception {
        api.close();
    }

    @Test
    void adds_a_finalizer_to_those_that_are_there_guarded_by_the_version() {
        writer.addFinalizer(primary, "busbar.io/mine");

        assertSent("", "{'metadata':{'finalizers':['other/finalizer','busbar.io/mine'],'resourceVersion':'7'}}");
    }

    @Test
    void removes_only_its_finalizer() {
        Deployment both = primary.edit()
                .editMetadata()
                .addToFinalizers("busbar.io/mine")
                .endMetadata()
                .build();
        writer.removeFinalizer(both, "busbar.io/mine");

        assertSent("", "{'metadata':{'finalizers':['other/finalizer'],'resourceVersion':'7'}}");
    }

    @Test
    void the_last_finalizer_leaves_an_empty_list() {
        writer.removeFinalizer(primary, "other/finalizer");

        assertSent("", "{'metadata':{'finalizers':[],'resourceVersion':'7'}}");
    }

    @Test
    void removing_it_from_what_is_gone_is_fine() {
        api.answer(request -> Answer.failure(404, "not found"));

        assertThatCode(() -> writer.removeFinalizer(primary, "other/finalizer")).doesNotThrowAnyException();
    }

    @Test
    void writes_what_changed_of_the_status_and_takes_back_what_vanished() {
        Deployment desired = primary.edit()
                .editStatus()
                .withReplicas(2)
                .withReadyReplicas(null)
                .endStatus()
                .build();
        writer.status(primary, desired);

        assertSent("/status", "{'status':{'replicas':2,'readyReplicas':null},'metadata':{'resourceVersion':'7'}}");
    }

    @Test
    void an_equal_status_is_not_written() {
        assertThat(writer.status(primary, primary.edit().build())).isSameAs(primary);
        assertThat(api.received()).isEmpty();
    }

    @Test
    void a_conflict_is_thrown_to_be_tried_again() {
        api.answer(request -> Answer.failure(409, "the object has been modified"));
        Deployment desired =
                primary.edit().editStatus().withReplicas(2).endStatus().build();

        assertThatThrownBy(() -> writer.status(primary, desired))
                .isInstanceOfSatisfying(
                        KubernetesClientException.class,
                        failure -> assertThat(failure.getCode()).isEqualTo(409));
    }

    private void assertSent(String subresource, String body) {
        assertThat(api.received()).hasSize(1);
        CannedApi.Received sent = api.received().get(0);
        assertThat(sent.path()).isEqualTo("/apis/apps/v1/namespaces/ns/deployments/a" + subresource);
        assertThat(sent.contentType()).isEqualTo("application/merge-patch+json");
        assertThat(sent.body()).isEqualTo(new JsonObject(body.replace('\'', '"')));
    }
}

package io.busbar.sandbox.suite;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class VolumeTest {

    private final Api api = Server.api();
    private final Workloads in = new Workloads(api, api.newNamespace());
    private final String claims = in.core("persistentvolumeclaims");

    private Answer bound() {
        api.post(
                claims,
                "{'metadata':{'name':'a'},'spec':{'accessModes':['ReadWriteOnce'],'resources':{'requests':{'storage':'1Gi'}}}}");
        return in.until(claims + "/a", "/status/phase", "Bound");
    }

    private Answer ask(String size) {
        return api.patch(claims + "/a", Api.MERGE, "{'spec':{'resources':{'requests':{'storage':'" + size + "'}}}}");
    }

    @Test
    void comes_from_the_default_class() {
        Answer claim = bound();
        assertThat(claim.text("/spec/storageClassName")).isEqualTo("fake");
        assertThat(claim.text("/metadata/annotations/pv.kubernetes.io~1bind-completed"))
                .isEqualTo("yes");
        Answer volume = api.get("/api/v1/persistentvolumes/" + claim.text("/spec/volumeName"));
        assertThat(volume.text("/spec/capacity/storage")).isEqualTo("1Gi");
        assertThat(volume.text("/spec/claimRef/uid")).isEqualTo(claim.text("/metadata/uid"));
        assertThat(volume.text("/metadata/annotations/pv.kubernetes.io~1provisioned-by"))
                .isEqualTo("fake-kubelet/volumes");
    }

    @Test
    void grows_and_does_not_shrink() {
        String volume = bound().text("/spec/volumeName");
        assertThat(ask("2Gi").code()).isEqualTo(200);
        in.until(claims + "/a", "/status/capacity/storage", "2Gi");
        in.until("/api/v1/persistentvolumes/" + volume, "/spec/capacity/storage", "2Gi");
        Answer refused = ask("1Gi");
        assertThat(refused.code()).isEqualTo(422);
        assertThat(refused.causes())
                .containsExactly("FieldValueForbidden spec.resources.requests.storage: Forbidden: field can not be"
                        + " less than " + Server.since(36, "status.capacity", "previous value"));
    }

    @Test
    void does_not_grow_where_its_class_does_not_allow_that() {
        String name = in.namespace() + "-fixed";
        String type = "/apis/storage.k8s.io/v1/storageclasses";
        api.post(type, "{'metadata':{'name':'" + name + "'},'provisioner':'fake-kubelet/volumes'}");
        api.post(
                claims,
                "{'metadata':{'name':'a'},'spec':{'storageClassName':'" + name + "','accessModes':['ReadWriteOnce'],"
                        + "'resources':{'requests':{'storage':'1Gi'}}}}");
        in.until(claims + "/a", "/status/phase", "Bound");
        Answer refused = ask("2Gi");
        api.delete(type + "/" + name);

        assertThat(refused.code()).isEqualTo(403);
        assertThat(refused.message())
                .isEqualTo("persistentvolumeclaims \"a\" is forbidden: only dynamically provisioned pvc can be resized"
                        + " and the storageclass that provisions the pvc must support resize");
    }

    @Test
    void goes_with_its_claim() {
        String volume = bound().text("/spec/volumeName");
        api.delete(claims + "/a");
        Api.until(() -> api.get("/api/v1/persistentvolumes/" + volume), answer -> answer.code() == 404);
    }

    @Test
    void stays_as_long_as_a_pod_uses_it() {
        bound();
        in.createPod(
                "{'metadata':{'name':'p'},'spec':{'terminationGracePeriodSeconds':1,'containers':[{'name':'c','image':'x'}],"
                        + "'volumes':[{'name':'v','persistentVolumeClaim':{'claimName':'a'}}]}}");
        in.until(in.core("pods") + "/p", "/status/phase", "Running");
        Answer marked = api.delete(claims + "/a");
        assertThat(marked.text("/metadata/finalizers/0")).isEqualTo("kubernetes.io/pvc-protection");
        api.delete(in.core("pods") + "/p");
        Api.until(() -> api.get(claims + "/a"), answer -> answer.code() == 404);
    }
}

package io.busbar.sandbox.suite;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import org.junit.jupiter.api.Test;

class StatefulSetTest {

    private static final String CLAIMS =
            ",'volumeClaimTemplates':[{'metadata':{'name':'data'},'spec':{'accessModes':['ReadWriteOnce'],"
                    + "'resources':{'requests':{'storage':'1Gi'}}}}]";

    private final Api api = Server.api();
    private final Workloads in = new Workloads(api, api.newNamespace());
    private final String sets = in.apps("statefulsets");
    private final String s = sets + "/s";

    private Answer create(int replicas, String more) {
        return api.post(
                sets,
                "{'metadata':{'name':'s'},'spec':{'serviceName':'svc','replicas':" + replicas + "," + Workloads.SELECTOR
                        + ",'template':" + Workloads.TEMPLATE + more + "}}");
    }

    private Answer ready(int replicas) {
        return in.until(s, "/status/readyReplicas", Integer.toString(replicas));
    }

    private void image(String image) {
        api.patch(
                s,
                Api.STRATEGIC,
                "{'spec':{'template':{'spec':{'containers':[{'name':'c','image':'" + image + "'}]}}}}");
    }

    private String image(int ordinal) {
        return api.get(in.core("pods") + "/s-" + ordinal).text("/spec/containers/0/image");
    }

    @Test
    void names_its_pods_and_numbers_its_revisions() {
        create(2, "");
        Answer ready = ready(2);
        Answer done = in.until(s, "/status/currentReplicas", "2");
        String revision = ready.text("/status/updateRevision");
        assertThat(revision).startsWith("s-");
        assertThat(done.text("/status/currentRevision")).isEqualTo(revision);
        assertThat(done.text("/status/updatedReplicas")).isEqualTo("2");
        JsonNode pod = in.pods(2).get(0);
        assertThat(pod.at("/metadata/name").asText()).isEqualTo("s-0");
        assertThat(pod.at("/metadata/labels/statefulset.kubernetes.io~1pod-name")
                        .asText())
                .isEqualTo("s-0");
        assertThat(pod.at("/metadata/labels/controller-revision-hash").asText()).isEqualTo(revision);
        assertThat(pod.at("/spec/hostname").asText()).isEqualTo("s-0");
        assertThat(pod.at("/spec/subdomain").asText()).isEqualTo("svc");
        JsonNode kept = api.get(in.apps("controllerrevisions") + "/" + revision).body();
        assertThat(kept.path("revision").asInt()).isEqualTo(1);
        assertThat(kept.at("/metadata/labels/controller.kubernetes.io~1hash").asText())
                .isEqualTo(revision.substring(2));
        assertThat(kept.at("/data/spec/template/$patch").asText()).isEqualTo("replace");
        assertThat(kept.at("/data/spec/template/spec/containers/0/image").asText())
                .isEqualTo("x");
    }

    @Test
    void takes_over_the_pods_and_revisions_of_one_that_was_deleted_without_them() {
        create(2, "");
        String revision = ready(2).text("/status/updateRevision");
        List<String> pods = uids(in.pods(2));

        api.delete(s + "?propagationPolicy=Orphan");
        in.until(s, "/code", "404");
        create(2, "");

        in.until(s, "/status/updatedReplicas", "2");
        assertThat(ready(2).text("/status/updateRevision")).isEqualTo(revision);
        assertThat(uids(in.pods(2))).isEqualTo(pods);
        String owner = api.get(s).text("/metadata/uid");
        assertThat(in.pods(2))
                .allSatisfy(pod -> assertThat(
                                pod.at("/metadata/ownerReferences/0/uid").asText())
                        .isEqualTo(owner));
        assertThat(api.get(in.apps("controllerrevisions") + "/" + revision).text("/metadata/ownerReferences/0/uid"))
                .isEqualTo(owner);
    }

    private static List<String> uids(List<JsonNode> pods) {
        return pods.stream().map(pod -> pod.at("/metadata/uid").asText()).toList();
    }

    @Test
    void waits_for_each_pod_to_be_ready() {
        create(
                2,
                ",'template':{'metadata':{'labels':{'app':'a'},'annotations':{'fake-kubelet/ready':'false'}},"
                        + "'spec':{'containers':[{'name':'c','image':'x'}]}}");
        in.until(in.core("pods") + "/s-0", "/status/phase", "Running");
        in.until(s, "/status/replicas", "1");
        assertThat(api.get(in.core("pods") + "/s-1").code()).isEqualTo(404);
        api.patch(in.core("pods") + "/s-0", Api.MERGE, "{'metadata':{'annotations':null}}");
        in.until(in.core("pods") + "/s-1", "/status/phase", "Running");
    }

    @Test
    void does_not_wait_when_told_so() {
        create(
                2,
                ",'podManagementPolicy':'Parallel','template':{'metadata':{'labels':{'app':'a'},"
                        + "'annotations':{'fake-kubelet/ready':'false'}},'spec':{'containers':[{'name':'c','image':'x'}]}}");
        in.until(in.core("pods") + "/s-1", "/status/phase", "Running");
    }

    @Test
    void takes_the_last_pods_away_first() {
        create(3, "");
        ready(3);
        api.patch(s + "/scale", Api.MERGE, "{'spec':{'replicas':1}}");
        assertThat(Workloads.names(in.pods(1))).containsExactly("s-0");
        in.until(s, "/status/replicas", "1");
    }

    @Test
    void updates_down_to_the_partition() {
        create(3, ",'updateStrategy':{'rollingUpdate':{'partition':1}}");
        ready(3);
        image("y");
        Answer partly = Api.until(
                () -> api.get(s),
                answer -> answer.text("/status/updatedReplicas").equals("2")
                        && answer.text("/status/readyReplicas").equals("3"));
        assertThat(partly.text("/status/currentReplicas")).isEqualTo("1");
        assertThat(partly.text("/status/currentRevision")).isNotEqualTo(partly.text("/status/updateRevision"));
        assertThat(List.of(image(0), image(1), image(2))).containsExactly("x", "y", "y");
        api.patch(s, Api.MERGE, "{'spec':{'updateStrategy':{'rollingUpdate':{'partition':0}}}}");
        Answer whole = Api.until(
                () -> api.get(s),
                answer -> answer.text("/status/currentRevision").equals(answer.text("/status/updateRevision"))
                        && answer.text("/status/currentReplicas").equals("3"));
        assertThat(whole.text("/status/updatedReplicas")).isEqualTo("3");
        assertThat(image(0)).isEqualTo("y");
    }

    @Test
    void updates_what_is_deleted_when_told_so() {
        create(2, ",'updateStrategy':{'type':'OnDelete'}");
        ready(2);
        image("y");
        in.until(s, "/status/observedGeneration", "2");
        String before = api.get(in.core("pods") + "/s-0").text("/metadata/uid");
        api.delete(in.core("pods") + "/s-0");
        Api.until(
                () -> api.get(in.core("pods") + "/s-0"),
                answer -> answer.code() == 200 && !answer.text("/metadata/uid").equals(before));
        assertThat(image(0)).isEqualTo("y");
        assertThat(image(1)).isEqualTo("x");
    }

    @Test
    void lets_a_container_mount_what_each_pod_claims() {
        String mounts = Workloads.TEMPLATE.replace(
                "'image':'x'", "'image':'x','volumeMounts':[{'name':'data','mountPath':'/data'}]");
        Answer created = api.post(
                sets,
                "{'metadata':{'name':'s'},'spec':{'serviceName':'svc','replicas':1," + Workloads.SELECTOR
                        + ",'template':" + mounts + CLAIMS + "}}");
        assertThat(created.code()).isEqualTo(201);
        ready(1);
        JsonNode pod = in.pods(1).get(0);
        assertThat(pod.at("/spec/containers/0/volumeMounts/0/name").asText()).isEqualTo("data");
        assertThat(pod.at("/spec/volumes/0/name").asText()).isEqualTo("data");
    }

    @Test
    void gives_each_pod_a_volume_that_outlives_it() {
        create(1, CLAIMS);
        ready(1);
        Answer claim = in.until(in.core("persistentvolumeclaims") + "/data-s-0", "/status/phase", "Bound");
        assertThat(claim.text("/spec/storageClassName")).isEqualTo("fake");
        assertThat(claim.text("/metadata/labels/app")).isEqualTo("a");
        assertThat(claim.text("/status/capacity/storage")).isEqualTo("1Gi");
        assertThat(claim.text("/spec/volumeName")).isEqualTo("pvc-" + claim.text("/metadata/uid"));
        Answer volume =
                in.until("/api/v1/persistentvolumes/" + claim.text("/spec/volumeName"), "/status/phase", "Bound");
        assertThat(volume.text("/spec/claimRef/name")).isEqualTo("data-s-0");
        JsonNode pod = in.pods(1).get(0);
        assertThat(pod.at("/spec/volumes/0/persistentVolumeClaim/claimName").asText())
                .isEqualTo("data-s-0");
        api.patch(s, Api.MERGE, "{'spec':{'replicas':0}}");
        in.pods(0);
        assertThat(api.get(in.core("persistentvolumeclaims")).names()).containsExactly("data-s-0");
    }

    @Test
    @Since(value = "1.27", why = "what becomes of claims")
    void keeps_claims_unless_told_otherwise() {
        String policy = "/spec/persistentVolumeClaimRetentionPolicy";
        Answer made = create(0, "");
        assertThat(made.text(policy + "/whenDeleted")).isEqualTo("Retain");
        assertThat(made.text(policy + "/whenScaled")).isEqualTo("Retain");
        api.delete(s);
        Answer deletes = create(0, ",'persistentVolumeClaimRetentionPolicy':{'whenDeleted':'Delete'}");
        assertThat(deletes.text(policy + "/whenDeleted")).isEqualTo("Delete");
        assertThat(deletes.text(policy + "/whenScaled")).isEqualTo("Retain");
        assertThat(api.patch(s, Api.MERGE, "{'spec':{'persistentVolumeClaimRetentionPolicy':{'whenScaled':'x'}}}")
                        .causes())
                .containsExactly("FieldValueNotSupported spec.persistentVolumeClaimRetentionPolicy.whenScaled:"
                        + " Unsupported value: \"x\": supported values: \"Retain\", \"Delete\"");
    }

    @Test
    @Since(value = "1.27", why = "that the name of a StatefulSet is that of hosts")
    void has_a_name_that_a_host_can_have() {
        Answer refused = api.post(
                sets,
                "{'metadata':{'name':'s.t'},'spec':{" + Workloads.SELECTOR + ",'template':" + Workloads.TEMPLATE
                        + "}}");
        assertThat(refused.code()).isEqualTo(422);
        assertThat(refused.causes())
                .singleElement()
                .asString()
                .startsWith("FieldValueInvalid metadata.name: Invalid value: \"s.t\": ");
    }

    @Test
    @Since(value = "1.36", why = "a gate that hides how many Pods may be away")
    void does_not_keep_how_many_pods_may_be_away() {
        Answer made = create(0, ",'updateStrategy':{'rollingUpdate':{'maxUnavailable':2}}");
        assertThat(made.code()).isEqualTo(201);
        assertThat(made.body().at("/spec/updateStrategy/rollingUpdate").has("maxUnavailable"))
                .isFalse();
        assertThat(made.text("/spec/updateStrategy/rollingUpdate/partition")).isEqualTo("0");
    }
}

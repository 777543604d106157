package io.busbar.sandbox.suite;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The service accounts of Pods. */
class PodAccountTest {

    private static final String TOKEN = "/var/run/secrets/kubernetes.io/serviceaccount";

    private final Api api = Server.api();
    private final Workloads in = new Workloads(api, api.newNamespace());

    private static String pod(String spec) {
        return "{'metadata':{'name':'p'},'spec':{" + spec + "'containers':[{'name':'c','image':'x'}]}}";
    }

    private String account(String more) {
        api.post(in.core("serviceaccounts"), "{'metadata':{'name':'robot'}" + more + "}");
        return "'serviceAccountName':'robot',";
    }

    /** What is mounted where the token belongs: name and whether it is read-only. */
    private static List<String> tokens(JsonNode container) {
        List<String> mounts = new ArrayList<>();
        container.path("volumeMounts").forEach(mount -> {
            if (mount.path("mountPath").asText().equals(TOKEN)) {
                mounts.add(mount.path("name").asText() + " "
                        + mount.path("readOnly").asBoolean());
            }
        });
        return mounts;
    }

    @Test
    void must_be_there() {
        Answer refused = api.post(in.core("pods"), pod("'serviceAccountName':'nobody',"));
        assertThat(refused.code()).isEqualTo(403);
        assertThat(refused.reason()).isEqualTo("Forbidden");
        assertThat(refused.message())
                .isEqualTo("pods \"p\" is forbidden: error looking up service account " + in.namespace()
                        + "/nobody: serviceaccount \"nobody\" not found");
    }

    @Test
    void are_missed_by_those_who_make_pods_until_they_are_there() {
        String template = Workloads.TEMPLATE.replace("'spec':{", "'spec':{'serviceAccountName':'robot',");
        api.post(
                in.apps("replicasets"),
                "{'metadata':{'name':'r'},'spec':{'replicas':1," + Workloads.SELECTOR + ",'template':" + template
                        + "}}");
        Answer events = Api.until(
                () -> api.get(in.core("events") + "?fieldSelector=reason=FailedCreate"),
                answer -> !answer.names().isEmpty());
        assertThat(events.text("/items/0/message"))
                .contains("is forbidden: error looking up service account " + in.namespace() + "/robot");
        account("");
        assertThat(in.pods(1).get(0).at("/spec/serviceAccountName").asText()).isEqualTo("robot");
    }

    @Test
    void are_the_default_one_unless_told() {
        Answer made = in.createPod(pod(""));
        assertThat(made.text("/spec/serviceAccountName")).isEqualTo("default");
        assertThat(made.text("/spec/serviceAccount")).isEqualTo("default");
    }

    @Test
    void mount_their_token_in_each_container() {
        Answer made = in.createPod(pod("'initContainers':[{'name':'i','image':'x'}],"));
        String volume = made.text("/spec/volumes/0/name");
        assertThat(tokens(made.body().at("/spec/containers/0"))).containsExactly(volume + " true");
        assertThat(tokens(made.body().at("/spec/initContainers/0"))).containsExactly(volume + " true");
        assertThat(made.body().at("/spec/volumes")).hasSize(1);
    }

    @Test
    @Since(value = "1.22", why = "the projection of tokens")
    void project_their_token_with_the_authority_and_the_namespace() {
        Answer made = in.createPod(pod(""));
        assertThat(made.text("/spec/volumes/0/name"))
                .startsWith("kube-api-access-")
                .hasSize(21);
        assertThat(made.body().at("/spec/volumes/0/projected").toString()).isEqualTo("""
                        {"sources":[{"serviceAccountToken":{"expirationSeconds":3607,"path":"token"}},\
                        {"configMap":{"name":"kube-root-ca.crt","items":[{"key":"ca.crt","path":"ca.crt"}]}},\
                        {"downwardAPI":{"items":[{"path":"namespace",\
                        "fieldRef":{"apiVersion":"v1","fieldPath":"metadata.namespace"}}]}}],"defaultMode":420}""");
    }

    @Test
    void mount_their_token_in_a_container_that_a_webhook_adds() {
        String patch = "[{'op':'add','path':'/spec/containers/-','value':{'name':'side','image':'x'}}]";
        String configurations = "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations";
        try (WebhookServer server = new WebhookServer()) {
            server.on("/m", request -> WebhookServer.patched(patch));
            api.patch(
                    "/api/v1/namespaces/" + in.namespace(),
                    Api.MERGE,
                    "{'metadata':{'labels':{'suite':'" + in.namespace() + "'}}}");
            Answer made = api.post(configurations, """
                    {'apiVersion':'admissionregistration.k8s.io/v1','kind':'MutatingWebhookConfiguration',
                     'metadata':{'name':'m-%1$s'},'webhooks':[{'name':'m.suite.io','clientConfig':%2$s,'sideEffects':'None',
                      'admissionReviewVersions':['v1'],'namespaceSelector':{'matchLabels':{'suite':'%1$s'}},
                      'rules':[{'apiGroups':[''],'apiVersions':['v1'],'resources':['pods'],'operations':['CREATE']}]}]}""".formatted(in.namespace(), server.at("/m")));
            assertThat(made.code()).as(made.message()).isEqualTo(201);
            Answer pod = Api.until(
                    () -> api.post(in.core("pods") + "?dryRun=All", pod("")),
                    answer -> answer.body().at("/spec/containers").size() == 2);
            assertThat(tokens(pod.body().at("/spec/containers/1")))
                    .hasSize(1)
                    .isEqualTo(tokens(pod.body().at("/spec/containers/0")));
            assertThat(pod.body().at("/spec/volumes")).hasSize(1);
            api.delete(configurations + "/m-" + in.namespace());
        }
    }

    @Test
    void leave_a_container_alone_that_has_something_there() {
        Answer made =
                in.createPod("{'metadata':{'name':'p'},'spec':{'volumes':[{'name':'own','emptyDir':{}}],'containers':["
                        + "{'name':'c','image':'x','volumeMounts':[{'name':'own','mountPath':'" + TOKEN + "'}]}]}}");
        assertThat(tokens(made.body().at("/spec/containers/0"))).containsExactly("own false");
        assertThat(made.body().at("/spec/volumes")).hasSize(1);
    }

    @Test
    void keep_their_token_when_the_pod_says_so() {
        Answer made = in.createPod(pod("'automountServiceAccountToken':false,"));
        assertThat(tokens(made.body().at("/spec/containers/0"))).isEmpty();
        assertThat(made.body().at("/spec").has("volumes")).isFalse();
    }

    @Test
    void keep_their_token_when_they_say_so_themselves() {
        Answer made = in.createPod(pod(account(",'automountServiceAccountToken':false")));
        assertThat(made.body().at("/spec").has("volumes")).isFalse();
    }

    @Test
    void lend_their_pull_secrets() {
        String spec = account(",'automountServiceAccountToken':false,'imagePullSecrets':[{'name':'s'}]");
        Answer made = in.createPod(pod(spec));
        assertThat(made.body().at("/spec/imagePullSecrets").toString()).isEqualTo("[{\"name\":\"s\"}]");
        Answer own =
                in.createPod(pod(spec + "'imagePullSecrets':[{'name':'t'}],").replace("'name':'p'", "'name':'q'"));
        assertThat(own.body().at("/spec/imagePullSecrets").toString()).isEqualTo("[{\"name\":\"t\"}]");
    }

    @Test
    void come_back_when_they_are_the_default_one() {
        String before = api.get(in.core("serviceaccounts") + "/default").text("/metadata/uid");
        api.delete(in.core("serviceaccounts") + "/default");
        Api.until(
                () -> api.get(in.core("serviceaccounts") + "/default"),
                answer -> answer.code() == 200 && !answer.text("/metadata/uid").equals(before));
    }
}

package io.busbar.sandbox.suite;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Kinds that others than the API server care for: their defaults, what is refused of them, and their columns. */
@Since(value = "1.36", why = "the words of these refusals")
class StoredKindTest {

    private static final String DRY = "?dryRun=All";

    private final Api api = Server.api();
    private final Workloads in = new Workloads(api, api.newNamespace());
    private final String name = in.namespace();

    private static void refused(Answer answer, String... causes) {
        assertThat(answer.code()).isEqualTo(422);
        assertThat(answer.causes()).containsExactlyInAnyOrder(causes);
    }

    private String slices() {
        return "/apis/discovery.k8s.io/v1/namespaces/" + in.namespace() + "/endpointslices";
    }

    @Test
    void slices_of_endpoints() {
        String slice = "{'metadata':{'name':'s'},'addressType':'IPv4'";
        refused(
                api.post(slices(), "{'metadata':{'name':'s'},'endpoints':[]}"),
                "FieldValueRequired addressType: Required value");
        refused(
                api.post(
                        slices(),
                        slice
                                + ",'endpoints':[{'addresses':[]},{'addresses':['2001:db8::1']},{'addresses':['10.0.0.1'],"
                                + "'hostname':'A'}],'ports':[{'port':1},{'port':2},{'name':'a','protocol':'X'}]}"),
                "FieldValueRequired endpoints[0].addresses: Required value: must contain at least 1 address",
                "FieldValueInvalid endpoints[1].addresses[0]: Invalid value: \"2001:db8::1\": must be a valid IPv4 address",
                "FieldValueInvalid endpoints[2].hostname: Invalid value: \"A\": a lowercase RFC 1123 label must consist of"
                        + " lower case alphanumeric characters or '-', and must start and end with an alphanumeric"
                        + " character (e.g. 'my-name',  or '123-abc', regex used for validation is"
                        + " '[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
                "FieldValueDuplicate ports[1].name: Duplicate value: \"\"",
                "FieldValueNotSupported ports[2].protocol: Unsupported value: \"X\": supported values: \"SCTP\", \"TCP\","
                        + " \"UDP\"");
        Answer made = api.post(slices(), slice + ",'endpoints':[{'addresses':['10.0.0.1']}],'ports':[{'port':1}]}");
        assertThat(made.body().at("/ports/0/name").textValue()).isEmpty();
        assertThat(made.text("/ports/0/protocol")).isEqualTo("TCP");
        refused(
                api.patch(slices() + "/s", Api.MERGE, "{'addressType':'IPv6','endpoints':[]}"),
                "FieldValueInvalid addressType: Invalid value: \"IPv6\": field is immutable");
    }

    @Test
    void endpoints() {
        refused(
                api.post(
                        in.core("endpoints") + DRY,
                        "{'metadata':{'name':'e'},'subsets':[{},{'addresses':[{'ip':'10.0.0.1'}],'ports':"
                                + "[{'port':80},{'port':70000,'name':'a'}]}]}"),
                "FieldValueRequired subsets[0]: Required value: must specify `addresses` or `notReadyAddresses`",
                "FieldValueRequired subsets[1].ports[0].name: Required value",
                "FieldValueInvalid subsets[1].ports[1].port: Invalid value: 70000: must be between 1 and 65535,"
                        + " inclusive");
    }

    @Test
    void classes_of_ingresses() {
        String classes = "/apis/networking.k8s.io/v1/ingressclasses";
        String spec = "{'metadata':{'name':'" + name + "'},'spec':";
        refused(
                api.post(classes + DRY, spec + "{'controller':'x','parameters':{'kind':'','name':''}}}"),
                "FieldValueInvalid spec.controller: Invalid value: \"x\": must be a domain-prefixed path (such as"
                        + " \"acme.io/foo\")",
                "FieldValueRequired spec.parameters.kind: Required value: kind is required",
                "FieldValueRequired spec.parameters.name: Required value: name is required");
        refused(
                api.post(
                        classes + DRY,
                        spec + "{'controller':'a.b/c','parameters':{'kind':'K','name':'n','scope':'Namespace'}}}"),
                "FieldValueRequired spec.parameters.namespace: Required value: `parameters.scope` is set to"
                        + " 'Namespace'");
        Answer made =
                api.post(classes, spec + "{'controller':'a.b/c','parameters':{'apiGroup':'g','kind':'K','name':'n'}}}");
        assertThat(made.text("/spec/parameters/scope")).isEqualTo("Cluster");
        assertThat(made.text("/metadata/generation")).isEqualTo("1");
        refused(
                api.patch(classes + "/" + name, Api.MERGE, "{'spec':{'controller':'a.b/d'}}"),
                "FieldValueInvalid spec.controller: Invalid value: \"a.b/d\": field is immutable");
        assertThat(cells(classes + "/" + name)).startsWith(name, "a.b/c", "K.g/n");
        api.delete(classes + "/" + name);
    }

    @Test
    void volumes() {
        String volumes = "/api/v1/persistentvolumes";
        String spec = "{'metadata':{'name':'" + name + "'},'spec':{'accessModes':['ReadWriteOnce'],'capacity':";
        refused(
                api.post(volumes + DRY, spec + "{'storage':'1Gi'}}}"),
                "FieldValueRequired spec: Required value: must specify a volume type");
        refused(
                api.post(
                        volumes + DRY,
                        spec + "{'storage':'0'},'hostPath':{'path':'/a'},'nfs':{'server':'s','path':'/a'}}}"),
                "FieldValueInvalid spec.capacity[storage]: Invalid value: \"0\": must be greater than zero",
                "FieldValueForbidden spec.nfs: Forbidden: may not specify more than 1 volume type");
        refused(
                api.post(volumes + DRY, spec + "{'storage':'1Gi'},'local':{'path':'/a'}}}"),
                "FieldValueRequired spec.nodeAffinity: Required value: Local volume requires node affinity");
        api.post(volumes, spec + "{'storage':'1Gi'},'hostPath':{'path':'/a'}}}");
        Answer moved = api.patch(volumes + "/" + name, Api.MERGE, "{'spec':{'hostPath':{'path':'/b'}}}");
        assertThat(moved.causes())
                .singleElement()
                .asString()
                .startsWith("FieldValueForbidden spec.persistentvolumesource: Forbidden: spec.persistentvolumesource is"
                        + " immutable after creation");
        refused(
                api.patch(volumes + "/" + name, Api.MERGE, "{'spec':{'volumeMode':'Block'}}"),
                "FieldValueInvalid volumeMode: Invalid value: \"Block\": field is immutable");
        assertThat(api.patch(volumes + "/" + name, Api.MERGE, "{'spec':{'mountOptions':['ro']}}")
                        .code())
                .isEqualTo(200);
        api.delete(volumes + "/" + name);
    }

    @Test
    void classes_of_storage() {
        String classes = "/apis/storage.k8s.io/v1/storageclasses";
        refused(
                api.post(classes + DRY, "{'metadata':{'name':'c'},'provisioner':'a/b/c','parameters':{'':'x'}}"),
                "FieldValueInvalid parameters: Invalid value: \"\": field can not be empty.",
                "FieldValueInvalid provisioner: Invalid value: \"a/b/c\": a valid label key must consist of alphanumeric"
                        + " characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g."
                        + " 'MyName',  or 'my.name',  or '123-abc', regex used for validation is"
                        + " '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]') with an optional DNS subdomain prefix and '/'"
                        + " (e.g. 'example.com/MyName')");
        String made = classes + "/" + name;
        api.post(classes, "{'metadata':{'name':'" + name + "'},'provisioner':'a/b','parameters':{'x':'y'}}");
        refused(
                api.patch(made, Api.MERGE, "{'provisioner':'a/c','parameters':{'x':'z'},'reclaimPolicy':'Retain'}"),
                "FieldValueForbidden provisioner: Forbidden: updates to provisioner are forbidden.",
                "FieldValueForbidden parameters: Forbidden: updates to parameters are forbidden.",
                "FieldValueForbidden reclaimPolicy: Forbidden: updates to reclaimPolicy are forbidden.");
        api.delete(made);
    }

    @Test
    void drivers_of_storage() {
        Answer made =
                api.post("/apis/storage.k8s.io/v1/csidrivers" + DRY, "{'metadata':{'name':'" + name + "'},'spec':{}}");
        assertThat(made.text("/spec/attachRequired")).isEqualTo("true");
        assertThat(made.text("/spec/podInfoOnMount")).isEqualTo("false");
        assertThat(made.text("/spec/fsGroupPolicy")).isEqualTo("ReadWriteOnceWithFSType");
        assertThat(made.text("/spec/volumeLifecycleModes/0")).isEqualTo("Persistent");
    }

    @Test
    void attachments_of_volumes() {
        String source = "must specify exactly one of inlineVolumeSpec and persistentVolumeName";
        assertThat(api.post(
                                "/apis/storage.k8s.io/v1/volumeattachments" + DRY,
                                "{'metadata':{'name':'a'},'spec':{'attacher':'a','nodeName':'n','source':{}}}")
                        .causes())
                .containsExactly("FieldValueRequired spec.source: Required value: " + source);
    }

    @Test
    void revisions_and_classes_of_runtimes() {
        String revisions = in.apps("controllerrevisions");
        refused(
                api.post(revisions, "{'metadata':{'name':'r'},'revision':-1}"),
                "FieldValueRequired data: Required value: data is mandatory",
                "FieldValueInvalid revision: Invalid value: -1: must be greater than or equal to 0");
        api.post(revisions, "{'metadata':{'name':'r'},'revision':1,'data':{'a':1}}");
        assertThat(api.patch(revisions + "/r", Api.MERGE, "{'data':{'a':2}}").causes())
                .singleElement()
                .asString()
                .startsWith("FieldValueInvalid data: ");
        String runtimes = "/apis/node.k8s.io/v1/runtimeclasses";
        assertThat(api.post(runtimes + DRY, "{'metadata':{'name':'r'},'handler':'A'}")
                        .causes())
                .singleElement()
                .asString()
                .startsWith("FieldValueInvalid handler: Invalid value: \"A\": ");
        api.post(runtimes, "{'metadata':{'name':'" + name + "'},'handler':'a'}");
        refused(
                api.patch(runtimes + "/" + name, Api.MERGE, "{'handler':'b'}"),
                "FieldValueInvalid handler: Invalid value: \"b\": field is immutable");
        assertThat(cells(runtimes + "/" + name)).startsWith(name, "a");
        api.delete(runtimes + "/" + name);
    }

    @Test
    void tables() {
        String ingresses = "/apis/networking.k8s.io/v1/namespaces/" + in.namespace() + "/ingresses";
        String backend = "'http':{'paths':[{'path':'/','pathType':'Prefix','backend':{'service':{'name':'s','port':"
                + "{'number':80}}}}]}";
        List<String> rules = new ArrayList<>();
        for (String host : List.of("a", "b", "c", "d")) {
            rules.add("{'host':'" + host + ".example'," + backend + "}");
        }
        api.post(ingresses, "{'metadata':{'name':'i'},'spec':{'tls':[{}],'rules':[" + String.join(",", rules) + "]}}");
        assertThat(cells(ingresses + "/i"))
                .startsWith("i", "<none>", "a.example,b.example,c.example + 1 more...", "", "80, 443");
        String policies = "/apis/networking.k8s.io/v1/namespaces/" + in.namespace() + "/networkpolicies";
        api.post(policies, "{'metadata':{'name':'p'},'spec':{'podSelector':{'matchLabels':{'a':'b'}}}}");
        assertThat(cells(policies + "/p")).startsWith("p", "a=b");
        api.post(in.core("resourcequotas"), "{'metadata':{'name':'q'},'spec':{'hard':{'pods':'5','limits.cpu':'2'}}}");
        in.until(in.core("resourcequotas") + "/q", "/status/hard/pods", "5");
        assertThat(cells(in.core("resourcequotas") + "/q")).startsWith("q", "pods: 0/5", "limits.cpu: 0/2");
        api.post(in.core("podtemplates"), "{'metadata':{'name':'t'},'template':" + Workloads.TEMPLATE + "}");
        assertThat(cells(in.core("podtemplates") + "/t")).containsExactly("t", "c", "x", "app=a");
    }

    private List<String> cells(String path) {
        Answer table = api.get(path, "application/json;as=Table;g=meta.k8s.io;v=v1");
        List<String> cells = new ArrayList<>();
        for (JsonNode cell : table.body().at("/rows/0/cells")) {
            cells.add(cell.asText());
        }
        return cells;
    }
}

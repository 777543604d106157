package io.busbar.sandbox.suite;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

/** Fields of built-in kinds that are refused, and under which name messages speak of them. */
@Since(value = "1.36", why = "the words of these refusals")
class RefusedFieldTest {

    private final Api api = Server.api();
    private final Workloads in = new Workloads(api, api.newNamespace());

    private Answer pod(String fields) {
        return api.post(
                in.core("pods") + "?dryRun=All",
                "{'metadata':{'name':'p'},'spec':{" + fields + ",'containers':[{'name':'c','image':'x'}]}}");
    }

    private Answer container(String fields) {
        return api.post(
                in.core("pods") + "?dryRun=All",
                "{'metadata':{'name':'p'},'spec':{'volumes':[{'name':'v'}],'containers':[{'name':'c','image':'x',"
                        + fields + "}]}}");
    }

    private Answer job(String fields) {
        return api.post(
                "/apis/batch/v1/namespaces/" + in.namespace() + "/jobs?dryRun=All",
                "{'metadata':{'name':'j'},'spec':{'completions':3,'completionMode':'Indexed'," + fields
                        + ",'template':{'spec':{'restartPolicy':'Never','containers':[{'name':'c','image':'x'}]}}}}");
    }

    private static void refused(Answer answer, String... causes) {
        assertThat(answer.code()).isEqualTo(422);
        assertThat(answer.causes()).containsExactlyInAnyOrder(causes);
    }

    @Test
    void of_probes_and_handlers() {
        refused(
                container("'readinessProbe':{'grpc':{},'terminationGracePeriodSeconds':5}"),
                "FieldValueInvalid spec.containers[0].readinessProbe.grpc.port: Invalid value: 0: must be between 1 and 65535, inclusive",
                "FieldValueInvalid spec.containers[0].readinessProbe.terminationGracePeriodSeconds: Invalid value: 5: must not be set for"
                        + " readinessProbes");
        refused(
                container("'lifecycle':{'preStop':{'sleep':{'seconds':31}}}"),
                "FieldValueInvalid spec.containers[0].lifecycle.preStop.sleep: Invalid value: 31: must be non-negative and less than"
                        + " terminationGracePeriodSeconds (30)");
        refused(
                container("'livenessProbe':{'httpGet':{'port':80,'httpHeaders':[{'name':'a b','value':''}]}}"),
                "FieldValueInvalid spec.containers[0].livenessProbe.httpGet.httpHeaders: Invalid value: \"a b\": a valid HTTP header must"
                        + " consist of alphanumeric characters or '-' (e.g. 'X-Header-Name', regex used for validation is"
                        + " '[-A-Za-z0-9]+')");
    }

    @Test
    void of_environments() {
        String at = "spec.containers[0].env[0].valueFrom.";
        refused(
                container("'env':[{'name':'A','valueFrom':{'fieldRef':{'fieldPath':'status.phase'}}}]"),
                "FieldValueNotSupported " + at
                        + "fieldRef.fieldPath: Unsupported value: \"status.phase\": supported values:"
                        + " \"metadata.name\", \"metadata.namespace\", \"metadata.uid\", \"spec.nodeName\", \"spec.serviceAccountName\","
                        + " \"status.hostIP\", \"status.hostIPs\", \"status.podIP\", \"status.podIPs\"");
        refused(
                container(
                        "'env':[{'name':'A','valueFrom':{'fieldRef':{'apiVersion':'v2','fieldPath':'metadata.name'}}}]"),
                "FieldValueInvalid " + at
                        + "fieldRef.fieldPath: Invalid value: \"metadata.name\": error converting fieldPath: unsupported"
                        + " pod version: v2");
        refused(
                container("'env':[{'name':'A','valueFrom':{'resourceFieldRef':{'resource':'limits.gpu'}}}]"),
                "FieldValueNotSupported " + at
                        + "resourceFieldRef.resource: Unsupported value: \"limits.gpu\": supported values:"
                        + " \"limits.cpu\", \"limits.ephemeral-storage\", \"limits.memory\", \"requests.cpu\","
                        + " \"requests.ephemeral-storage\", \"requests.memory\"");
        refused(
                container("'envFrom':[{}]"),
                "FieldValueInvalid spec.containers[0].envFrom: Invalid value: \"\": must specify one of: `configMapRef` or `secretRef`");
    }

    @Test
    void of_resources() {
        String at = "spec.containers[0].resources.";
        refused(
                container("'resources':{'requests':{'example.com/a':'1.5'}}"),
                "FieldValueInvalid " + at + "requests[example.com/a]: Invalid value: \"1500m\": must be an integer",
                "FieldValueRequired " + at
                        + "limits: Required value: Limit must be set for non overcommitable resources");
        refused(
                container("'resources':{'requests':{'storage':'1'}}"),
                "FieldValueInvalid " + at
                        + "requests[storage]: Invalid value: \"storage\": must be a standard resource for containers");
        refused(
                container("'resizePolicy':[{'resourceName':'gpu','restartPolicy':'NotRequired'}]"),
                "FieldValueNotSupported spec.containers[0].resizePolicy: Unsupported value: \"gpu\": supported values: \"cpu\","
                        + " \"memory\"");
    }

    @Test
    void of_mounts_and_volumes() {
        refused(
                container("'volumeMounts':[{'name':'v','mountPath':'/v','mountPropagation':'Bidirectional',"
                        + "'recursiveReadOnly':'Enabled'}]"),
                "FieldValueForbidden spec.containers[0].volumeMounts.mountPropagation: Forbidden: Bidirectional mount propagation is"
                        + " available only to privileged containers",
                "FieldValueForbidden spec.containers[0].volumeMounts.recursiveReadOnly: Forbidden: may only be specified when readOnly is"
                        + " true",
                "FieldValueForbidden spec.containers[0].volumeMounts.recursiveReadOnly: Forbidden: may only be specified when"
                        + " mountPropagation is None or not specified");
        refused(
                pod("'volumes':[{'name':'v','downwardAPI':{'items':[{'path':'/n'}]}}]"),
                "FieldValueInvalid spec.volumes[0].downwardAPI.path: Invalid value: \"/n\": must be a relative path",
                "FieldValueRequired spec.volumes[0].downwardAPI: Required value: one of fieldRef and resourceFieldRef is required");
        refused(
                pod("'volumes':[{'name':'v','configMap':{'name':'m','items':[{'key':'k','path':'..k'}]}}]"),
                "FieldValueInvalid spec.volumes[0].configMap.items[0].path: Invalid value: \"..k\": must not start with '..'");
        refused(
                pod("'volumes':[{'name':'v','projected':{'sources':[{'serviceAccountToken':{'path':''}}]}}]"),
                "FieldValueRequired spec.volumes[0].projected.path: Required value");
    }

    @Test
    void of_scheduling() {
        String spread = "{'maxSkew':1,'topologyKey':'z','whenUnsatisfiable':'DoNotSchedule'}";
        refused(
                pod("'topologySpreadConstraints':[" + spread + "," + spread + "]"),
                "FieldValueDuplicate spec.topologySpreadConstraints[0].{topologyKey, whenUnsatisfiable}: Duplicate value:"
                        + " \"{z, DoNotSchedule}\"");
        refused(
                pod("'schedulingGates':[{'name':'g'},{'name':'g'}],'nodeName':'n'"),
                "FieldValueDuplicate spec.schedulingGates[1]: Duplicate value: \"g\"",
                "FieldValueForbidden spec.nodeName: Forbidden: cannot be set until all schedulingGates have been cleared");
        refused(
                pod("'hostUsers':false,'hostPID':true"),
                "FieldValueForbidden spec.HostPID: Forbidden: when `pod.Spec.HostUsers` is false");
        refused(
                pod("'os':{'name':'windows'},'securityContext':{'runAsUser':1}"),
                "FieldValueForbidden spec.securityContext.runAsUser: Forbidden: cannot be set for a windows pod");
    }

    @Test
    void of_templates() {
        refused(
                api.post(
                        in.apps("deployments") + "?dryRun=All",
                        "{'metadata':{'name':'d'},'spec':{'selector':{'matchLabels':{'a':'b'}},'template':{'metadata':{'labels':"
                                + "{'a':'b'},'annotations':{'a b':''}},'spec':{'ephemeralContainers':[{'name':'e','image':'x'}],"
                                + "'containers':[{'name':'c','image':' x'}]}}}}"),
                "FieldValueInvalid spec.template.annotations: Invalid value: \"a b\": name part must consist of alphanumeric characters,"
                        + " '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or"
                        + " '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
                "FieldValueForbidden spec.template.spec.ephemeralContainers: Forbidden: ephemeral containers not allowed in pod template");
    }

    @Test
    void of_jobs_policies() {
        String rule = "spec.podFailurePolicy.rules[0].";
        refused(
                job(
                        "'podFailurePolicy':{'rules':[{'action':'FailIndex','onExitCodes':{'containerName':'z','operator':'In',"
                                + "'values':[2,0]}}]}"),
                "FieldValueInvalid " + rule
                        + "action: Invalid value: \"FailIndex\": requires the backoffLimitPerIndex to be set",
                "FieldValueInvalid " + rule
                        + "onExitCodes.containerName: Invalid value: \"z\": must be one of the container or"
                        + " initContainer names in the pod template",
                "FieldValueInvalid " + rule + "onExitCodes.values: Invalid value: [2,0]: must be ordered",
                "FieldValueInvalid " + rule
                        + "onExitCodes.values[1]: Invalid value: 0: must not be 0 for the In operator");
        refused(
                job(
                        "'successPolicy':{'rules':[{'succeededCount':5},{}]},'backoffLimitPerIndex':1,'maxFailedIndexes':4"),
                "FieldValueInvalid spec.maxFailedIndexes: Invalid value: 4: must be less than or equal to completions",
                "FieldValueInvalid spec.successPolicy.rules[0].succeededCount: Invalid value: 5: must be less than or equal to 3 (the"
                        + " number of specified completions)",
                "FieldValueRequired spec.successPolicy.rules[1]: Required value: at least one of succeededCount or succeededIndexes must"
                        + " be specified");
    }

    @Test
    void of_services() {
        String services = in.core("services");
        refused(
                api.post(
                        services,
                        "{'metadata':{'name':'s'},'spec':{'ports':[{'port':80}],'externalIPs':['127.0.0.1'],"
                                + "'trafficDistribution':'Near','loadBalancerSourceRanges':['1.2.3.0/24']}}"),
                "FieldValueInvalid spec.externalIPs[0]: Invalid value: \"127.0.0.1\": may not be in the loopback range (127.0.0.0/8,"
                        + " ::1/128)",
                "FieldValueNotSupported spec.trafficDistribution: Unsupported value: \"Near\": supported values: \"PreferClose\","
                        + " \"PreferSameNode\", \"PreferSameZone\"",
                "FieldValueForbidden spec.LoadBalancerSourceRanges: Forbidden: may only be used when `type` is 'LoadBalancer'");
    }

    @Test
    void a_load_balancer_of_local_traffic_has_a_port_for_its_health() {
        String service = in.core("services") + "/s";
        Answer made = api.post(
                in.core("services"),
                "{'metadata':{'name':'s'},'spec':{'type':'LoadBalancer','externalTrafficPolicy':'Local',"
                        + "'loadBalancerClass':'a.b/c','ports':[{'port':80}]}}");
        assertThat(made.body().at("/spec/healthCheckNodePort").asInt()).isBetween(30_000, 32_767);
        refused(
                api.patch(service, Api.MERGE, "{'spec':{'loadBalancerClass':'a.b/d'}}"),
                "FieldValueInvalid spec.loadBalancerClass: Invalid value: \"a.b/d\": may not change once set");
        Answer alias = api.patch(service, Api.MERGE, "{'spec':{'type':'ExternalName','externalName':'a.b'}}");
        assertThat(alias.code()).isEqualTo(200);
        assertThat(alias.body().at("/spec").properties())
                .extracting(Map.Entry::getKey)
                .containsExactlyInAnyOrder("externalName", "ports", "sessionAffinity", "type");
    }
}

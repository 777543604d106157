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

    @Test
    void of_divisors_and_devices() {
        refused(
                container(
                        "'env':[{'name':'A','valueFrom':{'resourceFieldRef':{'resource':'limits.cpu','divisor':'1k'}}}]"),
                "FieldValueInvalid spec.containers[0].env[0].valueFrom.resourceFieldRef.divisor: Invalid value: \"limits.cpu\":"
                        + " only divisor's values 1m and 1 are supported with the cpu resource");
        refused(
                container(
                        "'env':[{'name':'A','valueFrom':{'resourceFieldRef':{'resource':'limits.memory','divisor':'3'}}}]"),
                "FieldValueInvalid spec.containers[0].env[0].valueFrom.resourceFieldRef.divisor: Invalid value:"
                        + " \"limits.memory\": only divisor's values 1, 1k, 1M, 1G, 1T, 1P, 1E, 1Ki, 1Mi, 1Gi, 1Ti, 1Pi, 1Ei are"
                        + " supported with the memory resource");
        String at = "FieldValueInvalid spec.containers[0].volume";
        refused(
                api.post(
                        in.core("pods") + "?dryRun=All",
                        "{'metadata':{'name':'p'},'spec':{'volumes':[{'name':'v','persistentVolumeClaim':{'claimName':'c'}}],"
                                + "'containers':[{'name':'c','image':'x','volumeMounts':[{'name':'v','mountPath':'/x/../y'}],"
                                + "'volumeDevices':[{'name':'v','devicePath':'/x/../y'}]}]}}"),
                at + "Mounts[0].name: Invalid value: \"v\": must not already exist in volumeDevices",
                at
                        + "Mounts[0].mountPath: Invalid value: \"/x/../y\": must not already exist as a path in volumeDevices",
                at + "Devices[0].name: Invalid value: \"v\": must not already exist in volumeMounts",
                at
                        + "Devices[0].devicePath: Invalid value: \"/x/../y\": must not already exist as a path in volumeMounts",
                at + "Devices[0].devicePath: Invalid value: \"/x/../y\": can not contain backsteps ('..')");
    }

    @Test
    void of_drivers_aliases_and_capabilities() {
        assertThat(pod("'volumes':[{'name':'v','csi':{'driver':'a_b'}}]")
                        .causes()
                        .toString())
                .contains("spec.volumes[0].csi.driver: Invalid value: \"a_b\": a lowercase RFC 1123 subdomain must");
        assertThat(pod("'hostAliases':[{'ip':'','hostnames':['']}]").causes()).hasSize(2);
        assertThat(container(
                                "'securityContext':{'allowPrivilegeEscalation':false,'capabilities':{'add':['CAP_SYS_ADMIN']}}")
                        .message())
                .endsWith("cannot set `allowPrivilegeEscalation` to false and `capabilities.Add` CAP_SYS_ADMIN");
    }

    @Test
    void of_addresses_and_hosts() {
        refused(
                api.post(
                        in.core("endpoints") + "?dryRun=All",
                        "{'metadata':{'name':'e'},'subsets':[{'addresses':[{'ip':'127.0.0.1'},{'ip':'x','hostname':'A'}]}]}"),
                "FieldValueInvalid subsets[0].addresses[0].ip: Invalid value: \"127.0.0.1\": may not be in the loopback range"
                        + " (127.0.0.0/8, ::1/128)",
                "FieldValueInvalid subsets[0].addresses[1].ip: Invalid value: \"x\": must be a valid IP address, (e.g. 10.9.8.7"
                        + " or 2001:db8::ffff)",
                "FieldValueInvalid subsets[0].addresses[1].hostname: Invalid value: \"A\": a lowercase RFC 1123 label must"
                        + " consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric"
                        + " character (e.g. 'my-name',  or '123-abc', regex used for validation is"
                        + " '[a-z0-9]([-a-z0-9]*[a-z0-9])?')");
        String network = "/apis/networking.k8s.io/v1/namespaces/" + in.namespace();
        String wildcard =
                "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must"
                        + " consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character (e.g."
                        + " '*.example.com', regex used for validation is"
                        + " '\\*\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
        refused(
                api.post(
                        network + "/ingresses?dryRun=All",
                        "{'metadata':{'name':'i'},'spec':{'rules':[{'host':'1.2.3.4'},{'host':'*'},{'host':'*.a.b'}],"
                                + "'tls':[{'hosts':['*.*.a']}]}}"),
                "FieldValueInvalid spec.rules[0].host: Invalid value: \"1.2.3.4\": must be a DNS name, not an IP address",
                "FieldValueInvalid spec.rules[1].host: Invalid value: \"*\": " + wildcard,
                "FieldValueInvalid spec.tls[0].hosts[0]: Invalid value: \"*.*.a\": " + wildcard);
        String block = "{'ipBlock':{'cidr':'10.0.0.0/8','except':['10.1.0.0/16','10.0.0.0/8','11.0.0.0/16']}}";
        refused(
                api.post(
                        network + "/networkpolicies?dryRun=All",
                        "{'metadata':{'name':'n'},'spec':{'podSelector':{},'ingress':[{'from':[" + block + "]}]}}"),
                "FieldValueInvalid spec.ingress[0].from[0].ipBlock.except[1]: Invalid value: \"10.0.0.0/8\": must be a strict"
                        + " subset of `cidr`",
                "FieldValueInvalid spec.ingress[0].from[0].ipBlock.except[2]: Invalid value: \"11.0.0.0/16\": must be a strict"
                        + " subset of `cidr`");
        refused(
                api.post(
                        in.core("replicationcontrollers") + "?dryRun=All",
                        "{'metadata':{'name':'r'},'spec':{'replicas':0,'template':{'metadata':{'labels':{'a':'b'}},'spec':"
                                + "{'restartPolicy':'Never','containers':[{'name':'c','image':'x'}]}}}}"),
                "FieldValueNotSupported spec.template.spec.restartPolicy: Unsupported value: \"Never\": supported values:"
                        + " \"Always\"");
    }
}

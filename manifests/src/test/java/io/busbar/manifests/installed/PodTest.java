package io.busbar.manifests.installed;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.busbar.manifests.yaml.Yaml;
import io.fabric8.zjsonpatch.JsonPatch;
import java.util.List;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The operator's Pods, as they are installed. */
class PodTest {

    @ParameterizedTest
    @ValueSource(strings = {"dist/install.yaml", "dist/install-self-signed.yaml"})
    void are_of_the_restricted_profile(String file) {
        assertThat(RestrictedProfile.violations(template(file))).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    Host Namespaces          | hostNetwork | true
                    HostPath Volumes         | volumes/- | {name: host, hostPath: {path: /}}
                    Volume Types             | volumes/- | {name: share, nfs: {server: s, path: /}}
                    Sysctls                  | securityContext/sysctls | [{name: kernel.msgmax, value: "1"}]
                    SELinux                  | securityContext/seLinuxOptions | {user: system_u}
                    AppArmor                 | containers/0/securityContext/appArmorProfile | {type: Unconfined}
                    Seccomp                  | securityContext/seccompProfile | {type: Unconfined}
                    HostProcess              | securityContext/windowsOptions | {hostProcess: true}
                    Running as Non-root      | securityContext/runAsNonRoot | false
                    Running as Non-root user | containers/0/securityContext/runAsUser | 0
                    Privileged Containers    | containers/0/securityContext/privileged | true
                    Privilege Escalation     | containers/0/securityContext/allowPrivilegeEscalation | true
                    /proc Mount Type         | containers/0/securityContext/procMount | Unmasked
                    Capabilities             | containers/0/securityContext/capabilities/add | [SYS_ADMIN]
                    Capabilities             | containers/0/securityContext/capabilities/drop | [NET_RAW]
                    Host Ports               | containers/0/ports/0/hostPort | 9443
                    Host Probes / Lifecycle Hooks | containers/0/livenessProbe/httpGet/host | example.com
                    """)
    void would_be_refused_with_one_control_broken(String control, String path, String value) {
        JsonNode patch = Yaml.read("- op: add\n  path: /spec/" + path + "\n  value: " + value);
        JsonNode broken = JsonPatch.apply(patch, template("dist/install.yaml"));

        assertThat(RestrictedProfile.violations(broken)).contains(control);
    }

    @Test
    void write_to_no_disk_and_mount_a_token_that_expires() {
        JsonNode pod = template("dist/install.yaml").path("spec");
        JsonNode container = pod.at("/containers/0");

        assertThat(pod.path("automountServiceAccountToken").asBoolean(true)).isFalse();
        assertThat(account().path("automountServiceAccountToken").asBoolean(true))
                .isFalse();
        assertThat(container.at("/securityContext/readOnlyRootFilesystem").asBoolean())
                .isTrue();
        assertThat(pod.findValue("serviceAccountToken")
                        .path("expirationSeconds")
                        .asInt())
                .isBetween(600, 3600);
        assertThat(container.path("volumeMounts").findValuesAsText("mountPath"))
                .contains("/tmp", "/var/run/secrets/kubernetes.io/serviceaccount");
    }

    @Test
    void have_probes_resources_and_others_beside_them() {
        JsonNode pod = template("dist/install.yaml").path("spec");
        JsonNode container = pod.at("/containers/0");
        JsonNode budget = only("PodDisruptionBudget");

        assertThat(List.of("startupProbe", "livenessProbe", "readinessProbe")).allMatch(container::has);
        assertThat(container.at("/resources/requests").size()).isEqualTo(2);
        assertThat(container.at("/resources/limits").has("memory")).isTrue();
        assertThat(pod.path("topologySpreadConstraints").findValuesAsText("topologyKey"))
                .containsExactly("kubernetes.io/hostname", "topology.kubernetes.io/zone");
        assertThat(only("Deployment").at("/spec/replicas").asInt()).isEqualTo(2);
        assertThat(container.path("args").toString()).contains("--leader-elect");
        assertThat(budget.at("/spec/selector")).isEqualTo(only("Deployment").at("/spec/selector"));
    }

    @Test
    void are_never_subject_to_their_own_webhooks() {
        assertThat(only("Namespace").at("/metadata/labels").has("control-plane"))
                .isTrue();
        assertThat(CheckedIn.objects("dist/install.yaml").stream()
                        .filter(object -> object.path("kind").asText().endsWith("WebhookConfiguration"))
                        .flatMap(object ->
                                StreamSupport.stream(object.path("webhooks").spliterator(), false)))
                .filteredOn(webhook -> webhook.at("/rules/0/scope").asText().equals("Namespaced"))
                .hasSizeGreaterThan(2)
                .allSatisfy(webhook -> assertThat(webhook.at("/namespaceSelector/matchExpressions")
                                .toString())
                        .contains("\"key\":\"control-plane\",\"operator\":\"DoesNotExist\"")
                        .contains("busbar-system"));
    }

    private static JsonNode template(String file) {
        return CheckedIn.objects(file).stream()
                .filter(object -> object.path("kind").asText().equals("Deployment"))
                .findFirst()
                .orElseThrow()
                .at("/spec/template");
    }

    private static JsonNode account() {
        return only("ServiceAccount");
    }

    private static JsonNode only(String kind) {
        return CheckedIn.objects("dist/install.yaml").stream()
                .filter(object -> object.path("kind").asText().equals(kind))
                .findFirst()
                .orElseThrow();
    }
}

package io.busbar.operator.mysqlcluster.objects;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLCluster;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ClusterObjectsTest {

    /** Of a cluster without settings of its own, as operators named them that knew of no port for administration. */
    private static final String OLDER_SETTINGS = "db-config-bdfd09f6281b1dac";

    private static final String OLDER_HASH = "16fb40bf21cd9232";

    @Test
    void the_operator_alone_decides_when_Pods_are_replaced_and_all_start_at_once() {
        JsonNode set = json(objects("size: 3\n").statefulSet(3)).path("spec");

        assertThat(set.at("/updateStrategy/type").asText()).isEqualTo("OnDelete");
        assertThat(set.path("podManagementPolicy").asText()).isEqualTo("Parallel");
        assertThat(set.path("serviceName").asText()).isEqualTo("db-headless");
        assertThat(set.path("replicas").asInt()).isEqualTo(3);
        assertThat(set.at("/selector/matchLabels").toString())
                .isEqualTo("{\"app\":\"mysqlcluster\",\"mysqlcluster_cr\":\"db\"}");
    }

    @Test
    void a_server_is_ready_when_it_listens_and_knows_its_name_and_the_root_password() {
        JsonNode container = container("size: 1\n");

        assertThat(container.at("/readinessProbe/tcpSocket/port").asInt()).isEqualTo(3306);
        assertThat(container.at("/env/0/valueFrom/fieldRef/fieldPath").asText()).isEqualTo("metadata.name");
        assertThat(container.at("/env/1/name").asText()).isEqualTo("MYSQL_ROOT_PASSWORD");
        assertThat(container.at("/env/1/valueFrom/secretKeyRef/name").asText()).isEqualTo("db-auth");
        assertThat(container.at("/env/1/valueFrom/secretKeyRef/key").asText()).isEqualTo("root-password");
    }

    @Test
    void the_root_password_may_be_in_a_secret_of_the_users() {
        JsonNode container = container("rootSecretRef: {name: mine}\n");

        assertThat(container.at("/env/1/valueFrom/secretKeyRef/name").asText()).isEqualTo("mine");
    }

    @Test
    void each_server_reads_what_all_have_in_common_and_then_its_own() {
        JsonNode mounts = container("size: 1\n").path("volumeMounts");

        assertThat(mounts.at("/0/mountPath").asText()).isEqualTo("/var/lib/mysql");
        assertThat(mounts.at("/1/subPath").asText()).isEqualTo("my.cnf");
        assertThat(mounts.at("/2/subPathExpr").asText()).isEqualTo("$(POD_NAME).cnf");
        assertThat(mounts.at("/1/mountPath").asText())
                .isLessThan(mounts.at("/2/mountPath").asText());
        JsonNode files = json(objects("size: 1\n").config()).path("data");
        assertThat(files.size()).isEqualTo(10);
        assertThat(files.path("db-8.cnf").asText()).contains("server_id=108");
    }

    @Test
    void another_configuration_is_another_template_and_another_size_is_not() {
        assertThat(hash("config: {max_connections: 5}\n")).isNotEqualTo(hash("config: {max_connections: 6}\n"));
        assertThat(hash("replication: {semiSync: true}\n")).isNotEqualTo(hash("size: 1\n"));
        assertThat(template("size: 1\n")).isEqualTo(template("size: 5\nfailover: {delaySeconds: 99}\n"));
    }

    @Test
    void settings_are_in_an_object_that_is_named_by_what_they_are() {
        ConfigMap some = objects("config: {max_connections: 5}\n").config();
        ConfigMap others = objects("config: {max_connections: 6}\n").config();

        assertThat(some.getImmutable()).isTrue();
        assertThat(some.getMetadata().getName())
                .matches("db-config-[0-9a-f]{16}")
                .isNotEqualTo(others.getMetadata().getName())
                .isEqualTo(template("size: 4\nconfig: {max_connections: 5}\n")
                        .at("/spec/volumes/0/configMap/name")
                        .asText());
    }

    @Test
    void labels_of_users_are_added_but_never_hide_those_of_the_selector() {
        String spec = "podTemplate: {labels: {app: mine, mysqlcluster_cr: other, team: red},"
                + " annotations: {a: b, database.example.com/config-hash: x}}\n";

        JsonNode labels = template(spec).at("/metadata/labels");

        assertThat(labels.path("app").asText()).isEqualTo("mysqlcluster");
        assertThat(labels.path("mysqlcluster_cr").asText()).isEqualTo("db");
        assertThat(labels.path("team").asText()).isEqualTo("red");
        assertThat(template(spec).at("/metadata/annotations/a").asText()).isEqualTo("b");
        assertThat(hash(spec)).isEqualTo(hash("size: 1\n"));
    }

    @Test
    void users_decide_where_Pods_run_and_what_they_get() {
        String spec = """
                resources: {limits: {memory: 1Gi}}
                storage: {size: 5Gi, storageClassName: fast}
                podTemplate: {nodeSelector: {disk: ssd}, tolerations: [{key: db}]}
                """;

        assertThat(template(spec).at("/spec/nodeSelector/disk").asText()).isEqualTo("ssd");
        assertThat(template(spec).at("/spec/tolerations/0/key").asText()).isEqualTo("db");
        assertThat(container(spec).at("/resources/limits/memory").asText()).isEqualTo("1Gi");
        JsonNode claim = json(objects(spec).statefulSet(1)).at("/spec/volumeClaimTemplates/0/spec");
        assertThat(claim.at("/resources/requests/storage").asText()).isEqualTo("5Gi");
        assertThat(claim.path("storageClassName").asText()).isEqualTo("fast");
    }

    @Test
    void users_say_what_else_Pods_of_members_need() {
        JsonNode pod = template("""
                podTemplate:
                  topologySpreadConstraints:
                  - {maxSkew: 1, topologyKey: rack, whenUnsatisfiable: DoNotSchedule}
                  - {maxSkew: 1, topologyKey: room, whenUnsatisfiable: DoNotSchedule, labelSelector: {matchLabels: {a: b}}}
                  priorityClassName: high
                  imagePullSecrets: [{name: registry}]
                  containers: [{name: exporter, image: 'e:1', volumeMounts: [{name: scratch, mountPath: /s}]}]
                  volumes: [{name: scratch, emptyDir: {}}]
                """).path("spec");

        assertThat(pod.at("/topologySpreadConstraints/0/labelSelector/matchLabels/mysqlcluster_cr")
                        .asText())
                .isEqualTo("db");
        assertThat(pod.at("/topologySpreadConstraints/1/labelSelector").toString())
                .isEqualTo("{\"matchLabels\":{\"a\":\"b\"}}");
        assertThat(pod.path("priorityClassName").asText()).isEqualTo("high");
        assertThat(pod.at("/imagePullSecrets/0/name").asText()).isEqualTo("registry");
        assertThat(pod.path("containers").findValuesAsText("image")).containsExactly("mysql:8.4", "e:1");
        assertThat(pod.at("/volumes/1/name").asText()).isEqualTo("scratch");
    }

    @Test
    void there_is_an_exporter_beside_each_server_only_where_that_is_asked_for() {
        assertThat(template("size: 2\n").toString()).doesNotContain("exporter");
        String spec = """
                metrics: {exporter: {port: 9200, resources: {limits: {memory: 64Mi}}, args: [--collect.x]}}
                podTemplate: {containers: [{name: mine, image: 'm:1'}]}
                """;

        JsonNode pod = template(spec).path("spec");

        assertThat(pod.path("containers").findValuesAsText("image"))
                .containsExactly("mysql:8.4", "prom/mysqld-exporter:v0.20.0", "m:1");
        JsonNode exporter = pod.at("/containers/1");
        assertThat(exporter.path("name").asText()).isEqualTo("exporter");
        assertThat(exporter.path("args"))
                .extracting(JsonNode::asText)
                .containsExactly(
                        "--config.my-cnf=/etc/busbar/exporter/my.cnf",
                        "--mysqld.address=127.0.0.1:3306",
                        "--web.listen-address=:9200",
                        "--collect.x");
        assertThat(exporter.at("/ports/0/name").asText()).isEqualTo("metrics");
        assertThat(exporter.at("/ports/0/containerPort").asInt()).isEqualTo(9200);
        assertThat(exporter.at("/resources/limits/memory").asText()).isEqualTo("64Mi");
        assertThat(pod.at("/securityContext/runAsNonRoot").asBoolean()).isTrue();
        assertThat(exporter.at("/securityContext/readOnlyRootFilesystem").asBoolean())
                .isTrue();
        assertThat(exporter.at("/securityContext/allowPrivilegeEscalation").asBoolean(true))
                .isFalse();
        assertThat(exporter.at("/securityContext/capabilities/drop/0").asText()).isEqualTo("ALL");
    }

    @Test
    void nothing_that_an_exporter_lacks_keeps_a_server_from_its_services() {
        for (String tls : List.of("", "tls: {mode: Required}\n")) {
            JsonNode pod = template(tls + "metrics: {exporter: {}}\n").path("spec");

            assertThat(pod.at("/containers/1").toString()).doesNotContain("Probe");
            JsonNode sources = volume(pod, "mysql-exporter").at("/projected/sources");
            assertThat(sources.findValues("optional"))
                    .hasSameSizeAs(sources)
                    .allSatisfy(optional -> assertThat(optional.asBoolean()).isTrue());
        }
    }

    @Test
    void an_exporter_beside_an_encrypted_server_verifies_it_and_has_no_key() {
        JsonNode pod =
                template("tls: {mode: Required}\nmetrics: {exporter: {}}\n").path("spec");

        assertThat(pod.at("/containers/1/args/1").asText())
                .isEqualTo("--mysqld.address=$(POD_NAME).db-headless.shop.svc:3306");
        assertThat(objects("size: 1\n").hosts()).contains("db-0.db-headless.shop.svc");
        JsonNode sources = volume(pod, "mysql-exporter").at("/projected/sources");
        assertThat(sources.at("/0/secret/name").asText()).isEqualTo("db-auth");
        assertThat(sources.at("/1/secret/name").asText()).isEqualTo("db-tls");
        assertThat(sources.findValuesAsText("path")).containsExactly("my.cnf", "ca.crt");
        String key = sources.at("/0/secret/items/0/key").asText();
        assertThat(Exporter.files("secret").get(key))
                .isEqualTo("[client]\nuser=busbar_exporter\npassword=secret\nssl-ca="
                        + pod.at("/containers/1/volumeMounts/0/mountPath").asText() + "/ca.crt\n");
        String plain = volume(template("metrics: {exporter: {}}\n").path("spec"), "mysql-exporter")
                .at("/projected/sources/0/secret/items/0/key")
                .asText();
        assertThat(Exporter.files("secret").get(plain)).isEqualTo("[client]\nuser=busbar_exporter\npassword=secret\n");
    }

    @Test
    void the_pod_monitor_that_the_documentation_shows_finds_the_exporters() throws IOException {
        String[] documents = Files.readString(Path.of("../docs/examples/mysql/exporter.yaml"))
                .split("---\n", -1);
        JsonNode monitor = new KubernetesSerialization().unmarshal(documents[0], JsonNode.class);
        MySQLCluster shown = new KubernetesSerialization().unmarshal(documents[1], MySQLCluster.class);
        shown.getMetadata().setNamespace("shop");

        JsonNode template = json(new ClusterObjects(shown).statefulSet(3)).at("/spec/template");

        assertThat(template.at("/metadata/labels")).isEqualTo(monitor.at("/spec/selector/matchLabels"));
        assertThat(template.at("/spec/containers/1/ports/0/name"))
                .isEqualTo(monitor.at("/spec/podMetricsEndpoints/0/port"));
        assertThat(template.at("/spec/containers/1/image").asText())
                .as("what is taken if it is left out")
                .isEqualTo(template("metrics: {exporter: {}}\n")
                        .at("/spec/containers/1/image")
                        .asText());
    }

    private static JsonNode volume(JsonNode pod, String name) {
        for (JsonNode volume : pod.path("volumes")) {
            if (volume.path("name").asText().equals(name)) {
                return volume;
            }
        }
        throw new AssertionError("no volume " + name + " in " + pod);
    }

    @Test
    void the_image_is_that_of_the_version_unless_it_is_named() {
        assertThat(objects("size: 1\n").image()).isEqualTo("mysql:8.4");
        assertThat(objects("version: 8.0\n").image()).isEqualTo("mysql:8.0");
        assertThat(objects("version: \"8.0.36\"\n").image()).isEqualTo("mysql:8.0.36");
        assertThat(objects("version: 8\nimage: mariadb:10.11\n").image()).isEqualTo("mariadb:10.11");
    }

    @Test
    void servers_of_a_new_cluster_upgrade_the_tables_of_an_older_release_and_those_that_keep_no_data_do_not() {
        assertThat(upgradesTables(objects("image: mariadb:10.11\n").statefulSet(1)))
                .isTrue();
        assertThat(json(objects("mode: Simple\n").deployment(2)).toString()).doesNotContain("MARIADB_AUTO_UPGRADE");
    }

    @Test
    void members_that_were_made_before_servers_upgraded_tables_are_not_restarted_for_this_alone() {
        StatefulSet older = withoutUpgrade(objects("image: mariadb:10.11\n").statefulSet(1));

        assertThat(podTemplate(objects("image: mariadb:10.11\nsize: 5\n", older)))
                .isEqualTo(older.getSpec().getTemplate());
        assertThat(upgradesTables(
                        objects("image: mariadb:11.4\n", older, pod(older)).statefulSet(1)))
                .as("with another image")
                .isTrue();
        assertThat(upgradesTables(objects("image: mariadb:10.11\nconfig: {max_connections: 5}\n", older, pod(older))
                        .statefulSet(1)))
                .as("with other settings")
                .isTrue();
    }

    @Test
    void an_image_that_is_taken_back_is_what_members_still_run() {
        StatefulSet older = withoutUpgrade(objects("image: mariadb:10.11\n").statefulSet(1));
        StatefulSet canary = objects("image: mariadb:11.4\n", older, pod(older)).statefulSet(1);

        assertThat(podTemplate(objects("image: mariadb:10.11\n", canary, pod(canary), pod(older))))
                .isEqualTo(older.getSpec().getTemplate());
        assertThat(upgradesTables(
                        objects("image: mariadb:10.11\n", canary, pod(canary)).statefulSet(1)))
                .as("where none runs it any more")
                .isTrue();
    }

    @Test
    void servers_of_a_new_cluster_have_a_port_for_administration_unless_its_author_has_said_where_or_uses_it() {
        ClusterObjects objects = objects("size: 1\n");

        assertThat(ClusterNames.hasAdministrationPort(podTemplate(objects).getSpec()))
                .isTrue();
        assertThat(objects.config().getData().get("my.cnf")).contains("\nextra_port=33062\n");
        assertThat(objects.config().getData().get("db-2.cnf")).endsWith("\nloose_admin_address=db-2\n");
        for (String spec : List.of(
                "config: {extra-port: 4000}",
                "config: {loose_loose_admin_address: 10.0.0.1}",
                "config: {admin_ssl_ca: /ca.crt}",
                "podTemplate: {containers: [{name: proxy, image: proxy:1, ports: [{containerPort: 33062}]}]}")) {
            ClusterObjects others = objects("size: 1\n" + spec + "\n");
            assertThat(ClusterNames.hasAdministrationPort(podTemplate(others).getSpec()))
                    .as(spec)
                    .isFalse();
            assertThat(others.config().getData().toString()).doesNotContain("33062", "=db-2");
        }
        assertThat(objects("mode: Simple\nsize: 2\n").config().getData().toString())
                .doesNotContain("33062", "admin_address");
    }

    @Test
    void members_that_were_made_without_a_port_for_administration_are_not_restarted_for_this_alone() {
        StatefulSet older =
                withoutAdministration(objects("image: mariadb:10.11\n").statefulSet(1));
        ClusterObjects same = objects("image: mariadb:10.11\nsize: 5\n", older);

        assertThat(podTemplate(same)).isEqualTo(older.getSpec().getTemplate());
        assertThat(same.config().getMetadata().getName()).isEqualTo(OLDER_SETTINGS);
        assertThat(podTemplate(objects("image: mariadb:11.4\n", older, pod(older))))
                .as("with another image")
                .matches(template -> ClusterNames.hasAdministrationPort(template.getSpec()));
        StatefulSet canary = objects("image: mariadb:11.4\n", older, pod(older)).statefulSet(1);
        assertThat(podTemplate(objects("image: mariadb:10.11\n", canary, pod(canary), pod(older))))
                .as("taken back")
                .isEqualTo(older.getSpec().getTemplate());
    }

    @Test
    void members_that_have_the_port_keep_it_beside_one_that_is_without_for_a_while() {
        StatefulSet with = objects("size: 3\n").statefulSet(3);
        String sidecar =
                "podTemplate: {containers: [{name: proxy, image: proxy:1, ports: [{containerPort: 33062}]}]}\n";
        StatefulSet canary = objects("size: 3\n" + sidecar, with, pod(with)).statefulSet(3);
        assertThat(podTemplate(objects("size: 3\n", canary, pod(with), pod(canary))))
                .isEqualTo(with.getSpec().getTemplate());
    }

    @Test
    void services_lead_by_role_and_the_headless_one_names_all() {
        ClusterObjects objects = objects("size: 1\n");

        assertThat(json(objects.primary())
                        .at("/spec/selector/mysqlcluster_role")
                        .asText())
                .isEqualTo("primary");
        assertThat(json(objects.replicas())
                        .at("/spec/selector/mysqlcluster_role")
                        .asText())
                .isEqualTo("replica");
        JsonNode headless = json(objects.headless()).path("spec");
        assertThat(headless.at("/selector/mysqlcluster_role").isMissingNode()).isTrue();
        assertThat(headless.path("clusterIP").asText()).isEqualTo("None");
        assertThat(headless.path("publishNotReadyAddresses").asBoolean()).isTrue();
        assertThat(objects.primary().getMetadata().getName()).isEqualTo("db-primary");
        assertThat(objects.replicas().getMetadata().getNamespace()).isEqualTo("shop");
    }

    @Test
    void independent_servers_have_no_claims_and_no_file_of_their_own() {
        JsonNode pod = json(objects("mode: Simple\nsize: 2\n").deployment(2)).at("/spec/template/spec");

        assertThat(pod.at("/containers/0/volumeMounts").toString()).doesNotContain("subPathExpr");
        assertThat(pod.path("volumes").toString()).contains("\"name\":\"data\"", "emptyDir");
    }

    private static ClusterObjects objects(String spec) {
        return new ClusterObjects(TestClusters.cluster(spec));
    }

    private static boolean upgradesTables(StatefulSet set) {
        return set.getSpec().getTemplate().getSpec().getContainers().get(0).getEnv().stream()
                .anyMatch(variable ->
                        "MARIADB_AUTO_UPGRADE".equals(variable.getName()) && "1".equals(variable.getValue()));
    }

    private static ClusterObjects objects(String spec, StatefulSet there, Pod... pods) {
        return new ClusterObjects(TestClusters.cluster(spec), Optional.of(there), List.of(pods));
    }

    private static PodTemplateSpec podTemplate(ClusterObjects objects) {
        return objects.statefulSet(1).getSpec().getTemplate();
    }

    /** As operators made it that did not ask for this. */
    private static StatefulSet withoutUpgrade(StatefulSet set) {
        server(set).getEnv().removeIf(variable -> "MARIADB_AUTO_UPGRADE".equals(variable.getName()));
        return set;
    }

    /** As operators made it that knew of no such port. */
    private static StatefulSet withoutAdministration(StatefulSet set) {
        server(set).getPorts().removeIf(port -> "mysql-admin".equals(port.getName()));
        PodTemplateSpec template = set.getSpec().getTemplate();
        template.getMetadata().getAnnotations().put(ClusterKeys.CONFIG_HASH.name(), OLDER_HASH);
        template.getSpec().getVolumes().stream()
                .filter(volume -> "config".equals(volume.getName()))
                .forEach(volume -> volume.getConfigMap().setName(OLDER_SETTINGS));
        return set;
    }

    private static Container server(StatefulSet set) {
        return set.getSpec().getTemplate().getSpec().getContainers().get(0);
    }

    private static Pod pod(StatefulSet set) {
        return new PodBuilder()
                .withMetadata(set.getSpec().getTemplate().getMetadata())
                .withSpec(set.getSpec().getTemplate().getSpec())
                .build();
    }

    private static JsonNode json(HasMetadata object) {
        return new KubernetesSerialization().convertValue(object, JsonNode.class);
    }

    private static JsonNode template(String spec) {
        return json(objects(spec).statefulSet(1)).at("/spec/template");
    }

    private static JsonNode container(String spec) {
        return template(spec).at("/spec/containers/0");
    }

    private static String hash(String spec) {
        return template(spec)
                .at("/metadata/annotations")
                .path(ClusterKeys.CONFIG_HASH.name())
                .asText();
    }
}

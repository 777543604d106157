package io.busbar.charts.run;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.busbar.charts.ChartOperator;
import io.busbar.charts.render.ChartFolder;
import io.busbar.charts.render.ChartRenderer;
import io.busbar.charts.render.Lookups;
import io.busbar.charts.render.Rendering;
import io.busbar.common.ObjectKey;
import io.busbar.manifests.rbac.Permission;
import io.busbar.manifests.rbac.Roles;
import io.busbar.runtime.bundle.Account;
import io.busbar.sandbox.Sandbox;
import io.busbar.sandbox.SandboxOptions;
import io.busbar.sandbox.VertxSandbox;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whether the role that manifests give an operator is enough for the roles that its chart makes. */
class GrantedRolesTest {

    private final Vertx vertx = Vertx.vertx();
    private Sandbox sandbox;
    private Config config;

    @BeforeEach
    void start() throws Exception {
        sandbox = VertxSandbox.start(vertx, SandboxOptions.defaults().withRbac(true))
                .await(60, SECONDS);
        config = Config.fromKubeconfig(sandbox.kubeconfig());
    }

    @AfterEach
    void stop() throws Exception {
        sandbox.close();
        vertx.close().await(60, SECONDS);
    }

    private static KubernetesClient client(Config config) {
        return new KubernetesClientBuilder().withConfig(config).build();
    }

    /** Applies the objects of a chart with the rights of an account that has these and no others. */
    private void apply(String objects, List<Permission> permissions) {
        try (KubernetesClient admin = client(config);
                KubernetesClient operator = client(new Account("default", "operator").impersonated(config))) {
            admin.resource(Roles.clusterRole("operator", permissions)).serverSideApply();
            admin.resource(Serialization.unmarshal("""
                            apiVersion: rbac.authorization.k8s.io/v1
                            kind: ClusterRoleBinding
                            metadata: {name: operator}
                            roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: operator}
                            subjects: [{kind: ServiceAccount, name: operator, namespace: default}]
                            """, GenericKubernetesResource.class))
                    .serverSideApply();
            for (String object : objects.split("---\n", -1)) {
                operator.resource(Serialization.unmarshal(object, GenericKubernetesResource.class))
                        .serverSideApply();
            }
        }
    }

    private static List<Permission> permissions(Path watches) throws Exception {
        return ChartOperator.of(watches, Map.of()).declaration().parts().stream()
                .flatMap(part -> part.permissions().stream())
                .toList();
    }

    @Test
    void a_role_may_give_paths(@TempDir Path folder) throws Exception {
        String role = """
                apiVersion: rbac.authorization.k8s.io/v1
                kind: ClusterRole
                metadata: {name: reads-metrics}
                rules:
                - {nonResourceURLs: [/metrics], verbs: [get]}
                - {apiGroups: [""], resources: [pods], verbs: [get]}
                """;

        apply(role, permissions(SandboxedCharts.chart(folder, role)));
    }

    private static final String SUMS = """
            apiVersion: rbac.authorization.k8s.io/v1
            kind: ClusterRole
            metadata: {name: sums}
            aggregationRule: {clusterRoleSelectors: [{matchLabels: {summed: "true"}}]}
            rules: []
            ---
            apiVersion: rbac.authorization.k8s.io/v1
            kind: ClusterRoleBinding
            metadata: {name: sums}
            roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: sums}
            subjects: [{kind: ServiceAccount, name: reader, namespace: default}]
            """;

    private static Stream<Permission> withVerb(String verb, List<Permission> permissions) {
        return permissions.stream().filter(permission -> permission.verbs().contains(verb));
    }

    @Test
    void a_role_may_sum_others_up_and_be_bound_once_the_user_has_the_operator_escalate_it(@TempDir Path folder)
            throws Exception {
        List<Permission> permissions = permissions(SandboxedCharts.chart(folder, SUMS));
        assertThatThrownBy(() -> apply(SUMS, permissions)).hasMessageContaining("to use the aggregationRule");
        Permission escalate = Permission.of("rbac.authorization.k8s.io", List.of("clusterroles"), "escalate")
                .named("sums");

        apply(SUMS, Stream.concat(permissions.stream(), Stream.of(escalate)).toList());
        assertThat(withVerb("bind", permissions)).extracting(Permission::names).containsExactly(Set.of("sums"));
    }

    @Test
    void roles_that_sum_others_up_are_known_by_the_names_that_they_have_for_any_release(@TempDir Path folder)
            throws Exception {
        String named = SUMS.substring(0, SUMS.indexOf("---"))
                .replace("{name: sums}", "{name: \"{{ .Release.Namespace }}-{{ .Release.Name }}\"}");

        assertThat(summingUp(folder, SUMS + "---\n" + named + "---\n" + ShiftingInstance.ROLE))
                .containsExactlyInAnyOrder("sums", "release-namespace-release-name");
    }

    private static Set<String> summingUp(Path folder, String template) throws Exception {
        SandboxedCharts.chart(folder, template);
        ChartFolder chart = ChartFolder.of(folder.resolve("chart"));
        Rendering rendering = new ChartRenderer(chart, Map.of())
                .render(
                        ObjectKey.of(ChartKinds.ANY_NAMESPACE, ChartKinds.ANY_RELEASE),
                        JsonNodeFactory.instance.objectNode(),
                        "1.33.0",
                        Lookups.NOTHING);
        return ChartKinds.of(chart, Optional.of(rendering), new KubernetesSerialization())
                .summingUp();
    }

    @Test
    void a_role_without_selectors_sums_up_none(@TempDir Path folder) throws Exception {
        String role = SUMS.replace("{clusterRoleSelectors: [{matchLabels: {summed: \"true\"}}]}", "");
        List<Permission> permissions = permissions(SandboxedCharts.chart(folder, role));

        apply(role, permissions);
        assertThat(withVerb("bind", permissions)).isEmpty();
        assertThat(summingUp(folder, role)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"Name", "Namespace"})
    void nobody_binds_a_role_whose_name_is_not_known(String releases, @TempDir Path folder) throws Exception {
        String binding = SUMS.substring(SUMS.indexOf("---"))
                .replace("ClusterRole, name: sums", "ClusterRole, name: \"{{ .Release." + releases + " }}-sums\"");

        assertThat(withVerb("bind", permissions(SandboxedCharts.chart(folder, binding))))
                .isEmpty();
    }

    @Test
    void the_operator_may_bind_the_roles_that_a_chart_binds_and_does_not_make(@TempDir Path folder) throws Exception {
        String bindings = """
                {{- range $kind, $role := dict "ClusterRoleBinding" "default-it" "RoleBinding" "view" }}
                ---
                apiVersion: rbac.authorization.k8s.io/v1
                kind: {{ $kind }}
                metadata: {name: it}
                roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: {{ $role }}}
                {{- end }}
                """;

        assertThat(withVerb("bind", permissions(SandboxedCharts.chart(folder, ShiftingInstance.ROLE + bindings))))
                .containsExactly(Permission.of("rbac.authorization.k8s.io", List.of("clusterroles"), "bind")
                        .named("view"));
    }
}

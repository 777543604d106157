package io.busbar.manifests.rbac;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.groups.Tuple.tuple;

import io.busbar.common.ResourceType;
import io.busbar.manifests.yaml.Yaml;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import java.util.List;
import org.junit.jupiter.api.Test;

class RolesTest {

    @Test
    void merges_what_several_parts_of_an_operator_need() {
        List<Permission> permissions = List.of(
                Permission.on(Pod.class, "patch", "get"),
                Permission.of("apps", List.of("deployments", "statefulsets"), "list", "get"),
                Permission.toWatch(Pod.class),
                Permission.on(Pod.class, Permission.Subresource.STATUS, "patch"),
                Permission.of("apps", List.of("deployments"), "watch"),
                Permission.of("apps", List.of("daemonsets"), "get", "list"));

        assertThat(Yaml.write(Roles.clusterRole("manager-role", permissions))).isEqualTo("""
                        apiVersion: rbac.authorization.k8s.io/v1
                        kind: ClusterRole
                        metadata:
                          name: manager-role
                        rules:
                        - apiGroups:
                          - ""
                          resources:
                          - pods
                          verbs:
                          - get
                          - list
                          - patch
                          - watch
                        - apiGroups:
                          - ""
                          resources:
                          - pods/status
                          verbs:
                          - patch
                        - apiGroups:
                          - apps
                          resources:
                          - daemonsets
                          - statefulsets
                          verbs:
                          - get
                          - list
                        - apiGroups:
                          - apps
                          resources:
                          - deployments
                          verbs:
                          - get
                          - list
                          - watch
                        """);
    }

    @Test
    void keeps_rules_for_named_objects_apart_from_those_for_all() {
        Permission all = Permission.of("", List.of("secrets"), "create");
        Permission one = Permission.of("", List.of("secrets"), "get", "update").named("ca");

        assertThat(Roles.role("manager-role", "system", List.of(one, all)).getRules())
                .satisfiesExactly(
                        rule -> {
                            assertThat(rule.getResourceNames()).isEmpty();
                            assertThat(rule.getVerbs()).containsExactly("create");
                        },
                        rule -> {
                            assertThat(rule.getResourceNames()).containsExactly("ca");
                            assertThat(rule.getVerbs()).containsExactly("get", "update");
                        });
    }

    @Test
    void is_the_same_for_the_same_permissions_in_another_order() {
        Permission pods = Permission.toWatch(Pod.class);
        Permission events = Permission.of("events.k8s.io", List.of("events"), "create");

        assertThat(Roles.clusterRole("r", List.of(pods, events)))
                .isEqualTo(Roles.clusterRole("r", List.of(events, pods, pods)));
    }

    @Test
    void has_one_rule_for_paths_that_share_verbs() {
        assertThat(Roles.clusterRole(
                                "r",
                                List.of(
                                        Permission.atPaths(List.of("/metrics"), "get"),
                                        Permission.toWatch(Pod.class),
                                        Permission.atPaths(List.of("/healthz", "/events"), "get"),
                                        Permission.atPaths(List.of("/events"), "post")))
                        .getRules())
                .extracting(PolicyRule::getResources, PolicyRule::getNonResourceURLs, PolicyRule::getVerbs)
                .containsExactly(
                        tuple(List.of("pods"), List.of(), List.of("list", "watch")),
                        tuple(List.of(), List.of("/events"), List.of("get", "post")),
                        tuple(List.of(), List.of("/healthz", "/metrics"), List.of("get")));
    }

    @Test
    void gives_people_three_roles_for_each_kind() {
        ResourceType widgets = new ResourceType("example.com", "v1", "Widget", "widgets", true);

        assertThat(Roles.ofKind(widgets))
                .extracting(role -> role.getMetadata().getName(), RolesTest::verbsOnObjects)
                .containsExactly(
                        tuple("widget-admin-role", List.of("*")),
                        tuple(
                                "widget-editor-role",
                                List.of("create", "delete", "get", "list", "patch", "update", "watch")),
                        tuple("widget-viewer-role", List.of("get", "list", "watch")));
        assertThat(Roles.ofKind(widgets))
                .allSatisfy(role -> assertThat(role.getRules()).anySatisfy(rule -> {
                    assertThat(rule.getResources()).containsExactly("widgets/status");
                    assertThat(rule.getVerbs()).containsExactly("get");
                }));
    }

    @Test
    void refuses_a_permission_for_nothing() {
        assertThatThrownBy(() -> Permission.of("apps", List.of(), "get"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("apps");
    }

    @Test
    void takes_a_verb_a_name_and_a_resource_twice() {
        Permission twice =
                Permission.of("", List.of("pods", "pods"), "get", "get").named("a", "a");

        assertThat(twice).isEqualTo(Permission.of("", List.of("pods"), "get").named("a"));
        assertThat(Permission.atPaths(List.of("/metrics", "/metrics"), "get", "get"))
                .isEqualTo(Permission.atPaths(List.of("/metrics"), "get"));
    }

    @Test
    void says_that_paths_have_neither_names_nor_namespaces() {
        Permission paths = Permission.atPaths(List.of("/metrics"), "get");

        assertThatThrownBy(() -> paths.named("a"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("/metrics")
                .hasMessageContaining("named");
        assertThatThrownBy(paths::inNamespaces)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("in namespaces");
    }

    private static List<String> verbsOnObjects(ClusterRole role) {
        return role.getRules().stream()
                .filter(rule -> rule.getResources().contains("widgets"))
                .findFirst()
                .orElseThrow()
                .getVerbs();
    }
}

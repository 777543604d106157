package io.busbar.sandbox.rbac;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.common.ObjectKey;
import io.busbar.sandbox.Json;
import io.busbar.sandbox.request.AccessRequest;
import io.busbar.sandbox.request.Caller;
import io.busbar.sandbox.storage.GroupResource;
import io.busbar.sandbox.storage.MemoryStore;
import io.busbar.sandbox.storage.Metadata;
import java.util.List;
import org.junit.jupiter.api.Test;

class RbacAuthorizerTest {

    private static final GroupResource BINDINGS = new GroupResource(RoleRef.GROUP, "rolebindings");
    private static final GroupResource CLUSTER_BINDINGS = new GroupResource(RoleRef.GROUP, "clusterrolebindings");
    private static final Caller BOB = new Caller("bob", "", List.of("people", "system:authenticated"));

    private final MemoryStore store = new MemoryStore(8, task -> {});
    private final RbacAuthorizer authorizer = new RbacAuthorizer();

    RbacAuthorizerTest() {
        store.onChange(authorizer::changed);
    }

    private ObjectNode write(GroupResource resource, String json) {
        ObjectNode object = Json.object(json);
        ObjectKey key = Metadata.of(object).key();
        ObjectNode now = store.shelf(resource).get(key);
        return now == null ? store.create(resource, key, object) : store.replace(resource, key, now, object);
    }

    private void remove(GroupResource resource, ObjectKey key) {
        ObjectNode now = store.shelf(resource).get(key);
        store.remove(resource, key, now, now.deepCopy());
    }

    private void role(GroupResource resource, String namespace, String verb) {
        write(
                resource,
                "{'metadata':{'name':'r'" + in(namespace) + "},'rules':[{'verbs':['" + verb
                        + "'],'apiGroups':[''],'resources':['pods']}]}");
    }

    private void bind(GroupResource resource, String namespace, String name, String kind, String subjects) {
        write(
                resource,
                "{'metadata':{'name':'" + name + "'" + in(namespace) + "},'roleRef':{'kind':'" + kind
                        + "','name':'r'},'subjects':[" + subjects + "]}");
    }

    private static String in(String namespace) {
        return namespace.isEmpty() ? "" : ",'namespace':'" + namespace + "'";
    }

    private Verdict asked(Caller caller, String namespace) {
        return authorizer.authorize(caller, AccessRequest.resource("get", GroupResource.core("pods"), namespace, ""));
    }

    @Test
    void allows_in_the_namespace_of_a_binding_only() {
        role(RoleRef.CLUSTER_ROLES, "", "get");
        bind(BINDINGS, "n", "b", "ClusterRole", "{'kind':'User','name':'bob'}");
        assertThat(asked(BOB, "n").allowed()).isTrue();
        assertThat(asked(BOB, "other").allowed()).isFalse();
        assertThat(asked(BOB, "").allowed()).isFalse();
        bind(CLUSTER_BINDINGS, "", "c", "ClusterRole", "{'kind':'Group','name':'people'}");
        assertThat(asked(BOB, "other").reason())
                .isEqualTo("RBAC: allowed by ClusterRoleBinding \"c\" of ClusterRole \"r\" to Group \"people\"");
        assertThat(asked(BOB, "").allowed()).isTrue();
    }

    @Test
    void knows_service_accounts_by_the_namespace_of_the_binding_unless_told() {
        role(RoleRef.ROLES, "n", "get");
        bind(
                BINDINGS,
                "n",
                "b",
                "Role",
                "{'kind':'ServiceAccount','name':'here'},{'kind':'ServiceAccount','name':'there','namespace':'m'}");
        assertThat(asked(new Caller("system:serviceaccount:n:here", "", List.of()), "n")
                        .reason())
                .endsWith("to ServiceAccount \"here/n\"");
        assertThat(asked(new Caller("system:serviceaccount:m:there", "", List.of()), "n")
                        .allowed())
                .isTrue();
        assertThat(asked(new Caller("system:serviceaccount:n:there", "", List.of()), "n")
                        .allowed())
                .isFalse();
    }

    @Test
    void keeps_a_right_as_long_as_one_binding_gives_it() {
        role(RoleRef.ROLES, "n", "get");
        bind(BINDINGS, "n", "a", "Role", "{'kind':'User','name':'bob'}");
        bind(BINDINGS, "n", "b", "Role", "{'kind':'User','name':'bob'},{'kind':'User','name':'bob'}");
        remove(BINDINGS, new ObjectKey("n", "a"));
        assertThat(asked(BOB, "n").allowed()).isTrue();
        bind(BINDINGS, "n", "b", "Role", "{'kind':'User','name':'carl'}");
        assertThat(asked(BOB, "n").allowed()).isFalse();
    }

    @Test
    void follows_a_role_as_it_changes() {
        bind(BINDINGS, "n", "b", "Role", "{'kind':'User','name':'bob'}");
        assertThat(asked(BOB, "n").reason()).isEqualTo("RBAC: role.rbac.authorization.k8s.io \"r\" not found");
        role(RoleRef.ROLES, "n", "get");
        assertThat(asked(BOB, "n").allowed()).isTrue();
        role(RoleRef.ROLES, "n", "list");
        assertThat(asked(BOB, "n")).isEqualTo(new Verdict(false, ""));
        remove(RoleRef.ROLES, new ObjectKey("n", "r"));
        assertThat(authorizer.holdings(BOB, "n").error()).isEqualTo("role.rbac.authorization.k8s.io \"r\" not found");
    }

    @Test
    void lets_masters_do_everything_whatever_the_roles_say() {
        assertThat(asked(Caller.master("x"), "").allowed()).isTrue();
    }

    @Test
    void counts_a_role_once_however_often_it_is_bound() {
        role(RoleRef.CLUSTER_ROLES, "", "get");
        for (int i = 0; i < 50; i++) {
            bind(BINDINGS, "n", "b" + i, "ClusterRole", "{'kind':'Group','name':'people'}");
            bind(BINDINGS, "m" + i, "b", "ClusterRole", "{'kind':'Group','name':'people'}");
        }
        assertThat(authorizer.holdings(BOB, "n").rules()).hasSize(1);
    }
}

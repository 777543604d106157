package io.busbar.operator.mysqlcluster.contents;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.common.condition.Conditions;
import io.busbar.common.condition.HasConditions;
import io.busbar.operator.mysqlcluster.observe.PodAddressing;
import io.busbar.operator.mysqlcluster.sql.AccountName;
import io.busbar.operator.mysqlcluster.sql.Contents.Encoding;
import io.busbar.operator.mysqlcluster.sql.Rights;
import io.busbar.operator.mysqlcluster.sql.Scope;
import io.busbar.operator.mysqlcluster.sql.ServerState.Flavor;
import io.busbar.operator.mysqlcluster.sql.SqlFailure;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLCluster;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLDatabase;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLGrant;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLUser;
import io.busbar.operator.mysqlcluster.v1alpha1.PasswordStatus;
import io.busbar.reconciler.CleanupResult;
import io.busbar.reconciler.ReconcileResult;
import io.busbar.reconciler.Reconciler;
import io.busbar.testkit.memory.InMemoryContext;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ContentReconcilerTest {

    private static final AccountName WEB = new AccountName("web", "%");
    private static final Scope SHOP = new Scope(WEB, "shop", "*");

    private final MemoryContents server = new MemoryContents();

    @Test
    void nothing_is_written_when_nothing_has_changed() throws Exception {
        InMemoryContext<MySQLDatabase> context = begin(database("shop", "10", "name: shop, characterSet: utf8mb4"));
        Reconciler<MySQLDatabase> reconciler = databases(context);
        context.reconcile(reconciler);
        assertThat(server.changes).containsExactly("create database shop");
        assertThat(ready(context)).isEqualTo("True Applied");
        context.forget();

        assertThat(context.reconcile(reconciler)).isEqualTo(ReconcileResult.awaitChange());
        assertThat(context.writes()).isEmpty();
        assertThat(server.changes).hasSize(1);
    }

    @Test
    void an_older_object_for_the_same_database_decides_and_a_younger_one_that_goes_takes_nothing_away()
            throws Exception {
        InMemoryContext<MySQLDatabase> context =
                begin(database("young", "20", "name: shop, characterSet: latin1, deletionPolicy: Delete"));
        context.put(database("old", "10", "name: shop"));
        server.databases.put("shop", new Encoding("utf8mb4", "utf8mb4_bin"));
        Reconciler<MySQLDatabase> reconciler = databases(context);
        context.reconcile(reconciler);
        assertThat(ready(context)).isEqualTo("False Taken");

        assertThat(context.cleanup(reconciler)).isEqualTo(CleanupResult.done());
        assertThat(server.changes).isEmpty();

        context.remove(database("old", "10", "name: shop"));
        context.reconcile(reconciler);
        assertThat(server.changes).containsExactly("alter database shop");
        assertThat(context.cleanup(reconciler)).isEqualTo(CleanupResult.done());
        assertThat(server.changes).endsWith("drop database shop");
    }

    @Test
    void it_waits_for_a_primary_also_to_go_unless_the_cluster_is_gone() throws Exception {
        InMemoryContext<MySQLDatabase> context = begin(database("shop", "10", "deletionPolicy: Delete"));
        Reconciler<MySQLDatabase> reconciler = databases(context);
        context.reconcile(reconciler);
        context.put(cluster("False"));
        context.reconcile(reconciler);
        assertThat(ready(context)).isEqualTo("False NoPrimary");
        assertThat(context.cleanup(reconciler)).isInstanceOf(CleanupResult.NotYet.class);

        context.remove(cluster("False"));
        assertThat(context.cleanup(reconciler)).isEqualTo(CleanupResult.done());
        assertThat(server.changes).containsExactly("create database shop");
    }

    @Test
    void a_database_is_kept_unless_it_says_otherwise() throws Exception {
        InMemoryContext<MySQLDatabase> context = begin(database("shop", "10", "name: shop"));
        context.reconcile(databases(context));
        assertThat(context.cleanup(databases(context))).isEqualTo(CleanupResult.done());
        assertThat(server.databases).containsKey("shop");
    }

    @Test
    void what_the_server_refuses_is_told_and_what_it_does_not_answer_is_tried_again() throws Exception {
        InMemoryContext<MySQLDatabase> context = begin(database("shop", "10", "name: shop"));
        Reconciler<MySQLDatabase> reconciler = databases(context);
        server.failure = new SqlFailure(SqlFailure.Kind.REFUSED, "it is too long", null);
        assertThat(context.reconcile(reconciler)).isEqualTo(ReconcileResult.awaitChange());
        assertThat(ready(context)).isEqualTo("False Refused");
        assertThat(message(context)).isEqualTo("it is too long");

        server.failure = new SqlFailure(SqlFailure.Kind.UNREACHABLE, "no answer in time", null);
        assertThat(context.reconcile(reconciler)).isEqualTo(ReconcileResult.requeue());
        assertThat(ready(context)).isEqualTo("False Unreachable");
    }

    @Test
    void an_account_waits_for_its_password_and_follows_it() throws Exception {
        InMemoryContext<MySQLUser> context = begin(user("maxUserConnections: 5"));
        Reconciler<MySQLUser> reconciler = users(context);
        context.reconcile(reconciler);
        assertThat(ready(context)).isEqualTo("False PasswordMissing");
        context.put(secret("web", Map.of("password", "")));
        context.reconcile(reconciler);
        assertThat(ready(context)).isEqualTo("False PasswordMissing");

        context.put(secret("web", Map.of("password", "one")));
        assertThat(context.reconcile(reconciler)).isEqualTo(ReconcileResult.awaitChange());
        context.put(secret("web", Map.of("password", "two")));
        assertThat(context.reconcile(reconciler)).isEqualTo(ReconcileResult.requeueAfter(Duration.ofMinutes(10)));
        assertThat(server.passwords).containsEntry(WEB, "two");
        assertThat(server.oldPasswords).containsEntry(WEB, "one");
        assertThat(message(context)).contains("the old password is good until");
        context.reconcile(reconciler);

        context.advance(Duration.ofMinutes(10));
        assertThat(context.reconcile(reconciler)).isEqualTo(ReconcileResult.awaitChange());
        assertThat(server.changes)
                .containsExactly(
                        "create user web@%", "retain and change password of web@%", "discard old password of web@%");
        assertThat(context.get(MySQLUser.class, "web").orElseThrow().getStatus().toString())
                .doesNotContain("one", "two");
    }

    @Test
    void a_new_password_of_the_operator_changes_nothing_of_accounts_and_old_ones_stay_known() throws Exception {
        InMemoryContext<MySQLUser> context = begin(user("maxUserConnections: 0"));
        Reconciler<MySQLUser> reconciler = users(context);
        context.put(secret("web", Map.of("password", "one")));
        context.reconcile(reconciler);
        context.put(passwords("operator-password", "a-new-one", "fingerprint-key", "of-the-operator"));
        context.reconcile(reconciler);
        assertThat(server.changes).containsExactly("create user web@%");

        context.put(passwords("operator-password", "another-one", "fingerprint-key", "of-the-operator"));
        context.put(secret("web", Map.of("password", "two")));
        context.reconcile(reconciler);
        assertThat(server.changes).containsExactly("create user web@%", "retain and change password of web@%");
    }

    @Test
    void a_change_of_which_nobody_was_told_keeps_the_old_password() throws Exception {
        InMemoryContext<MySQLUser> context = begin(user("maxUserConnections: 0"));
        Reconciler<MySQLUser> reconciler = users(context);
        context.put(secret("web", Map.of("password", "one")));
        context.reconcile(reconciler);
        context.put(secret("web", Map.of("password", "two")));
        server.lostAnswer = new SqlFailure(SqlFailure.Kind.UNREACHABLE, "no answer in time", null);
        assertThat(context.reconcile(reconciler)).isEqualTo(ReconcileResult.requeue());
        context.reconcile(reconciler);

        assertThat(server.changes).containsExactly("create user web@%", "retain and change password of web@%");
        assertThat(server.oldPasswords).containsEntry(WEB, "one");
        assertThat(ready(context)).isEqualTo("True Applied");
    }

    @Test
    void mariadb_is_never_asked_to_keep_an_old_password_and_says_so() throws Exception {
        server.flavor = Flavor.MARIADB;
        InMemoryContext<MySQLUser> context = begin(user("maxUserConnections: 0"));
        Reconciler<MySQLUser> reconciler = users(context);
        context.put(secret("web", Map.of("password", "one")));
        context.reconcile(reconciler);
        context.put(secret("web", Map.of("password", "two")));
        assertThat(context.reconcile(reconciler)).isEqualTo(ReconcileResult.awaitChange());
        assertThat(server.changes).containsExactly("create user web@%", "change password of web@%");
        assertThat(message(context)).contains("with MariaDB it has one password at a time");
        PasswordStatus told = context.primary().told().password();
        assertThat(told.oldUntil()).isNull();
    }

    @Test
    void an_account_that_is_there_gets_the_password_and_the_limit() throws Exception {
        server.passwords.put(WEB, "by hand");
        InMemoryContext<MySQLUser> context = begin(user("maxUserConnections: 5"));
        context.put(secret("web", Map.of("password", "one")));
        context.reconcile(users(context));
        assertThat(server.changes).containsExactly("change password of web@%", "limit web@%");
        assertThat(server.passwords).containsEntry(WEB, "one");
    }

    @Test
    void an_account_asks_for_TLS_as_its_object_says_whatever_others_have_made_of_it() throws Exception {
        InMemoryContext<MySQLUser> context = begin(user("require: SSL"));
        context.put(secret("web", Map.of("password", "one")));
        Reconciler<MySQLUser> reconciler = users(context);
        context.reconcile(reconciler);
        assertThat(server.changes).containsExactly("create user web@%", "encrypt web@%");
        context.reconcile(reconciler);
        assertThat(server.changes).hasSize(2);

        server.encrypted.clear();
        context.reconcile(reconciler);
        assertThat(server.changes).endsWith("encrypt web@%").hasSize(3);
        assertThat(ready(context)).isEqualTo("True Applied");
    }

    @Test
    void the_account_of_the_cluster_is_the_cluster_s() throws Exception {
        InMemoryContext<MySQLUser> context = begin(user("name: busbar_application"));
        context.put(secret("web", Map.of("password", "one")));
        context.reconcile(users(context));
        assertThat(ready(context)).isEqualTo("False Taken");

        InMemoryContext<MySQLGrant> granted =
                begin(grant("all", "user: {name: busbar_application}, database: app, privileges: [SELECT]"));
        server.passwords.put(new AccountName("busbar_application", "%"), "any");
        server.databases.put("app", new Encoding("utf8mb4", "utf8mb4_bin"));
        granted.reconcile(grants(granted));
        assertThat(ready(granted)).isEqualTo("False Taken");
        assertThat(server.changes).isEmpty();
    }

    @Test
    void what_has_become_the_account_of_the_cluster_is_left_when_its_objects_go() throws Exception {
        InMemoryContext<MySQLUser> context = begin(user("deletionPolicy: Delete"));
        context.put(secret("web", Map.of("password", "one")));
        context.reconcile(users(context));
        server.databases.put("app", new Encoding("utf8mb4", "utf8mb4_bin"));
        InMemoryContext<MySQLGrant> granted =
                begin(grant("all", "user: {name: web}, database: app, privileges: [SELECT]"));
        granted.reconcile(grants(granted));
        int changes = server.changes.size();
        assertThat(changes).isEqualTo(2);

        Secret now = passwords("operator-password", "of-the-operator", "application-username", "web");
        context.put(now);
        granted.put(now);
        assertThat(context.cleanup(users(context))).isEqualTo(CleanupResult.done());
        assertThat(granted.cleanup(grants(granted))).isEqualTo(CleanupResult.done());

        assertThat(server.changes).hasSize(changes);
    }

    @Test
    void rights_are_what_all_objects_of_a_scope_say_and_each_takes_its_own_away() throws Exception {
        server.passwords.put(WEB, "one");
        server.databases.put("shop", new Encoding("utf8mb4", "utf8mb4_bin"));
        server.rights.put(SHOP, new Rights(List.of("CREATE", "SELECT"), true));
        InMemoryContext<MySQLGrant> context = begin(grant("one", inShop("SELECT, INSERT")));
        context.put(grant("two", inShop("SELECT, DELETE")));
        Reconciler<MySQLGrant> reconciler = grants(context);
        context.reconcile(reconciler);
        assertThat(server.changes).containsExactly("grant DELETE, INSERT", "revoke CREATE, GRANT OPTION");
        assertThat(context.primary().told().privileges()).containsExactly("INSERT", "SELECT");

        assertThat(context.cleanup(reconciler)).isEqualTo(CleanupResult.done());
        assertThat(server.changes).endsWith("revoke INSERT");
        assertThat(server.rights.get(SHOP)).isEqualTo(new Rights(List.of("DELETE", "SELECT"), false));
    }

    @Test
    void rights_that_may_have_been_given_are_taken_away() throws Exception {
        server.passwords.put(WEB, "one");
        server.databases.put("shop", new Encoding("utf8mb4", "utf8mb4_bin"));
        InMemoryContext<MySQLGrant> context = begin(grant("one", inShop("ALL")));
        Reconciler<MySQLGrant> reconciler = grants(context);
        server.lostAnswer = new SqlFailure(SqlFailure.Kind.UNREACHABLE, "no answer in time", null);
        context.reconcile(reconciler);
        assertThat(ready(context)).isEqualTo("False Unreachable");

        context.cleanup(reconciler);
        assertThat(server.rights.get(SHOP)).isEqualTo(Rights.NONE);
    }

    @Test
    void rights_wait_for_the_account_and_the_database() throws Exception {
        InMemoryContext<MySQLGrant> context = begin(grant("one", inShop("SELECT")));
        Reconciler<MySQLGrant> reconciler = grants(context);
        context.reconcile(reconciler);
        assertThat(ready(context)).isEqualTo("False UserMissing");
        server.passwords.put(WEB, "one");
        context.reconcile(reconciler);
        assertThat(ready(context)).isEqualTo("False DatabaseMissing");
        assertThat(context.cleanup(reconciler)).isEqualTo(CleanupResult.done());
    }

    @Test
    void an_object_that_the_server_refuses_does_not_keep_others_of_its_scope_from_what_they_say() throws Exception {
        server.passwords.put(WEB, "one");
        server.databases.put("shop", new Encoding("utf8mb4", "utf8mb4_bin"));
        InMemoryContext<MySQLGrant> context = begin(grant("one", inShop("SELECT")));
        context.put(grant("two", inShop("DELETE HISTORY")));
        context.reconcile(grants(context));
        assertThat(ready(context)).isEqualTo("True Applied");
        assertThat(server.changes).containsExactly("grant SELECT");
    }

    @Test
    void a_privilege_that_this_server_lacks_is_named_with_those_that_it_has() throws Exception {
        server.passwords.put(WEB, "one");
        server.databases.put("shop", new Encoding("utf8mb4", "utf8mb4_bin"));
        InMemoryContext<MySQLGrant> context = begin(grant("one", inShop("DELETE HISTORY")));
        context.reconcile(grants(context));
        assertThat(ready(context)).isEqualTo("False Refused");
        assertThat(message(context))
                .isEqualTo("this server has no DELETE HISTORY for a database; it has CREATE, DELETE, INSERT, SELECT,"
                        + " UPDATE");
    }

    private static String inShop(String privileges) {
        return "user: {name: web}, database: shop, privileges: [" + privileges + "]";
    }

    private Primaries primaries() {
        return new Primaries(server.servers(), PodAddressing.POD_IP);
    }

    private Reconciler<MySQLDatabase> databases(InMemoryContext<?> context) {
        return new ContentReconciler<>(new DatabaseContent(), primaries(), context.clock());
    }

    private Reconciler<MySQLUser> users(InMemoryContext<?> context) {
        return new ContentReconciler<>(new UserContent(context.clock()), primaries(), context.clock());
    }

    private Reconciler<MySQLGrant> grants(InMemoryContext<?> context) {
        return new ContentReconciler<>(new GrantContent(), primaries(), context.clock());
    }

    private static <T extends HasMetadata> InMemoryContext<T> begin(T object) {
        InMemoryContext<T> context = InMemoryContext.of(object);
        context.put(cluster("True"));
        context.put(read(Pod.class, "{metadata: {name: shop-0, namespace: default}, status: {podIP: 10.0.0.1}}"));
        context.put(passwords("operator-password", "of-the-operator", "application-username", "busbar_application"));
        return context;
    }

    /** Of the cluster. */
    private static Secret passwords(String key, String value, String otherKey, String otherValue) {
        Secret passwords = secret("shop-auth", Map.of(key, value, otherKey, otherValue));
        passwords.getMetadata().setLabels(Map.of("app", "mysqlcluster", "mysqlcluster_cr", "shop"));
        return passwords;
    }

    private static MySQLCluster cluster(String available) {
        return read(MySQLCluster.class, """
                metadata: {name: shop, namespace: default}
                spec: {size: 1}
                status:
                  currentPrimary: shop-0
                  conditions: [{type: Available, status: "%s", reason: Any, message: any}]
                """.formatted(available));
    }

    private static MySQLDatabase database(String name, String minute, String rest) {
        return read(MySQLDatabase.class, """
                metadata: {name: %s, namespace: default, creationTimestamp: "2026-11-28T10:%s:00Z"}
                spec: {clusterRef: {name: shop}, %s}
                """.formatted(name, minute, rest));
    }

    private static MySQLUser user(String rest) {
        return read(MySQLUser.class, """
                metadata: {name: web, namespace: default}
                spec: {clusterRef: {name: shop}, passwordSecretKeyRef: {name: web}, %s}
                """.formatted(rest));
    }

    private static MySQLGrant grant(String name, String rest) {
        return read(MySQLGrant.class, """
                metadata: {name: %s, namespace: default}
                spec: {clusterRef: {name: shop}, %s}
                """.formatted(name, rest));
    }

    private static Secret secret(String name, Map<String, String> values) {
        SecretBuilder secret = new SecretBuilder()
                .withNewMetadata()
                .withName(name)
                .withNamespace("default")
                .endMetadata();
        values.forEach((key, value) ->
                secret.addToData(key, Base64.getEncoder().encodeToString(value.getBytes(StandardCharsets.UTF_8))));
        return secret.build();
    }

    private static <T extends HasMetadata> T read(Class<T> type, String yaml) {
        return new KubernetesSerialization().unmarshal("---\n" + yaml, type);
    }

    private static <T extends CustomResource<?, ? extends HasConditions>> String ready(InMemoryContext<T> context) {
        return Conditions.find(context.primary().getStatus().conditions(), "Ready")
                .map(condition -> condition.getStatus() + " " + condition.getReason())
                .orElse("");
    }

    private static <T extends CustomResource<?, ? extends HasConditions>> String message(InMemoryContext<T> context) {
        return Conditions.find(context.primary().getStatus().conditions(), "Ready")
                .orElseThrow()
                .getMessage();
    }
}

package io.busbar.operator.mysqlcluster.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.busbar.common.internal.certificate.CertificateIssuer;
import io.busbar.common.internal.certificate.Pem;
import io.busbar.operator.mysqlcluster.bed.Product;
import io.busbar.reconciler.leader.Permit;
import io.vertx.core.Vertx;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/** A real server of MariaDB with a certificate. */
@EnabledIf(value = "io.busbar.operator.mysqlcluster.bed.Product#hasMariaDb", disabledReason = Product.NEEDS_MARIADB)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class EncryptedServersTest {

    private static final String NAME = "db-0.db-headless.shop.svc";

    private final Vertx vertx = Vertx.vertx();
    private final CertificateIssuer issuer = new CertificateIssuer("test");
    private final Instant now = Instant.now().truncatedTo(ChronoUnit.SECONDS);
    private final KeyPair authorityKeys = issuer.newKeys();
    private final X509Certificate authority = issuer.authority(authorityKeys, now, Duration.ofDays(10));
    private Path files;
    private Node node;

    Product product() {
        return Product.MARIADB;
    }

    @BeforeAll
    void start(@TempDir Path folder) throws Exception {
        files = Files.createDirectories(folder.resolve("tls"));
        issue(Duration.ofDays(5));
        node = Node.start(
                product(),
                vertx,
                folder,
                161,
                "ssl_ca=" + files.resolve("ca.crt"),
                "ssl_cert=" + files.resolve("tls.crt"),
                "ssl_key=" + files.resolve("tls.key"));
        node.server().createAccounts(Node.ACCOUNTS);
    }

    @AfterAll
    void stop() {
        node.close();
        vertx.close();
    }

    private X509Certificate issue(Duration life) throws Exception {
        KeyPair keys = issuer.newKeys();
        X509Certificate serving =
                issuer.serving(List.of(NAME), keys.getPublic(), authority, authorityKeys.getPrivate(), now, life);
        Files.writeString(files.resolve("ca.crt"), Pem.write(List.of(authority)));
        Files.writeString(files.resolve("tls.crt"), Pem.write(List.of(serving)));
        Files.writeString(files.resolve("tls.key"), Pem.write(keys.getPrivate()));
        return serving;
    }

    private DatabaseServer verified(Account account, String name, X509Certificate authority) {
        return new VertxDatabaseServers(() -> vertx, Permit.always())
                .server(encrypted(), account, Optional.of(new Trust(name, List.of(authority))));
    }

    private Endpoint encrypted() {
        return new Endpoint(node.endpoint().host(), node.endpoint().port(), true);
    }

    @Test
    void one_of_another_CA_or_name_is_not_spoken_to_nor_one_that_cannot_be_verified() {
        X509Certificate other = issuer.authority(issuer.newKeys(), now, Duration.ofDays(10));
        assertThat(failure(verified(Node.OPERATOR, NAME, other)))
                .hasMessageContaining("unable to find valid certification path");
        assertThat(failure(verified(Node.OPERATOR, "db-1.db-headless.shop.svc", authority)))
                .hasMessageContaining("the certificate is for [" + NAME + "], not for db-1.db-headless.shop.svc");
        assertThat(failure(new VertxDatabaseServers(() -> vertx, Permit.always()).server(encrypted(), Node.OPERATOR)))
                .hasMessageContaining("there is no CA to verify its certificate by");
    }

    private static SqlFailure failure(DatabaseServer server) {
        try (server) {
            SqlFailure failure = catchThrowableOfType(SqlFailure.class, server::observe);
            assertThat(failure.kind()).isEqualTo(SqlFailure.Kind.UNREACHABLE);
            return failure;
        }
    }

    @Test
    void a_new_certificate_is_shown_once_it_is_loaded_while_connections_go_on() throws Exception {
        try (DatabaseServer open = verified(Node.OPERATOR, NAME, authority)) {
            X509Certificate newest = issue(Duration.ofDays(6));
            Position before = open.observe().history();
            assertThat(open.encryption(Node.ACCOUNTS, newest).isCurrent()).isFalse();
            open.reloadCertificate();
            try (DatabaseServer next = verified(Node.OPERATOR, NAME, authority)) {
                Encryption encryption = next.encryption(Node.ACCOUNTS, newest);
                assertThat(encryption.isCurrent()).isTrue();
                assertThat(encryption.expiry())
                        .isEqualTo(newest.getNotAfter().toInstant())
                        .isEqualTo(now.plus(Duration.ofDays(6)));
            }
            assertThat(open.observe().history()).as("nothing is written").isEqualTo(before);
        }
    }

    @Test
    void nobody_is_let_in_without_TLS_once_that_is_required_and_everybody_again_when_it_is_not() throws Exception {
        X509Certificate any = authority;
        try (DatabaseServer server = verified(Node.OPERATOR, NAME, authority)) {
            server.makeReadOnly();
            Position before = server.observe().history();
            assertThat(server.encryption(Node.ACCOUNTS, any).isAsked()).isFalse();
            server.requireEncryption(Node.ACCOUNTS, true);
            assertThat(server.encryption(Node.ACCOUNTS, any).isRequired()).isTrue();
            for (Account account : List.of(Node.OPERATOR, Node.REPLICATION, Node.ROOT)) {
                assertThatThrownBy(() -> node.as(account)).isInstanceOf(SqlFailure.class);
            }
            server.requireEncryption(Node.ACCOUNTS, true);

            server.requireEncryption(Node.ACCOUNTS, false);
            assertThat(server.encryption(Node.ACCOUNTS, any).isAsked()).isFalse();
            node.as(Node.OPERATOR).close();
            assertThat(server.observe().readOnly()).isTrue();
            assertThat(server.observe().history()).as("nothing is written").isEqualTo(before);
        }
    }

    /** Nothing but the account tells the one from the other. */
    @Test
    void an_account_that_asks_for_TLS_is_denied_without_as_if_its_password_were_wrong() throws Exception {
        String operator = Quoted.account(Node.OPERATOR.user());
        node.server().makeWritable();
        node.sql("ALTER USER " + operator + " REQUIRE SSL");
        assertThatThrownBy(() -> node.as(Node.OPERATOR))
                .isInstanceOfSatisfying(
                        SqlFailure.class, failure -> assertThat(failure.kind()).isEqualTo(SqlFailure.Kind.DENIED));
        node.sql("ALTER USER " + operator + " REQUIRE NONE");
        node.server().makeReadOnly();
    }

    @Test
    void the_exporter_is_let_in_over_TLS_alone_where_that_is_required_and_however_late_it_came() throws Exception {
        Account exporter = new Account(Accounts.EXPORTER, "e");
        Accounts accounts = ExporterRules.with(Optional.of(exporter));
        try (DatabaseServer server = verified(Node.OPERATOR, NAME, authority)) {
            server.requireEncryption(Node.ACCOUNTS, true);
            server.createAccounts(accounts);
            assertThat(server.encryption(accounts, authority).isRequired()).isFalse();
            server.requireEncryption(accounts, true);
            assertThat(server.encryption(accounts, authority).isRequired()).isTrue();
            assertThatThrownBy(() -> node.as(exporter)).isInstanceOf(SqlFailure.class);
            try (DatabaseServer asExporter = verified(exporter, NAME, authority)) {
                assertThat(asExporter.load().connections()).isPositive();
            }
            server.createAccounts(accounts);
            assertThat(server.encryption(accounts, authority).isRequired())
                    .as("stays so when its password is set again")
                    .isTrue();
            server.requireEncryption(accounts, false);
            node.as(exporter).close();
            server.createAccounts(Node.ACCOUNTS);
        }
    }

    @Test
    void an_account_that_somebody_has_made_stricter_stays_so() throws Exception {
        AccountName name = new AccountName("strict", "%");
        try (DatabaseServer server = verified(Node.ROOT, NAME, authority)) {
            Accounts accounts = new Accounts(Node.ROOT, Node.OPERATOR, new Account("strict", "s"), Optional.empty());
            server.makeWritable();
            try (Contents contents = server.contents()) {
                contents.createUser(name, "s", 0);
                contents.requireEncryption(name, true);
                assertThat(contents.user(name).orElseThrow().encryption()).isEqualTo(Contents.User.TLS);
            }
            node.sql("ALTER USER strict REQUIRE X509");
            server.requireEncryption(accounts, true);
            server.requireEncryption(accounts, false);
            try (Contents contents = server.contents()) {
                assertThat(contents.user(name).orElseThrow().encryption()).isEqualTo("X509");
                contents.dropUser(name);
            }
        }
    }

    @Test
    void a_replica_follows_an_encrypted_source_over_TLS_and_says_so() throws Exception {
        try (DatabaseServer server = verified(Node.OPERATOR, NAME, authority)) {
            Endpoint source = new Endpoint("127.0.2.240", 3307, true);
            server.follow(source, Node.REPLICATION, false);
            assertThat(server.observe().replication().orElseThrow().source()).isEqualTo(source);
            server.follow(new Endpoint(source.host(), source.port()), Node.REPLICATION, false);
            assertThat(server.observe().replication().orElseThrow().source().encrypted())
                    .isFalse();
            server.stopFollowing();
        }
    }
}

package io.busbar.operator.mysqlcluster.migrate;

import io.busbar.operator.mysqlcluster.access.Passwords;
import io.busbar.operator.mysqlcluster.objects.ClusterKeys;
import io.busbar.operator.mysqlcluster.objects.Migration;
import io.busbar.operator.mysqlcluster.observe.Outside;
import io.busbar.operator.mysqlcluster.sql.Account;
import io.busbar.operator.mysqlcluster.sql.DatabaseServer;
import io.busbar.operator.mysqlcluster.sql.DatabaseServers;
import io.busbar.operator.mysqlcluster.sql.Endpoint;
import io.busbar.operator.mysqlcluster.sql.SourceState;
import io.busbar.operator.mysqlcluster.sql.SqlFailure;
import io.busbar.operator.mysqlcluster.sql.Trust;
import io.busbar.operator.mysqlcluster.sql.Upstream;
import io.busbar.operator.mysqlcluster.tls.Certificates;
import io.busbar.operator.mysqlcluster.v1alpha1.ExternalPrimary;
import io.busbar.operator.mysqlcluster.v1alpha1.ExternalTls;
import io.busbar.operator.mysqlcluster.v1alpha1.ExternalTlsMode;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLCluster;
import io.busbar.operator.mysqlcluster.v1alpha1.SecretRef;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The way to the servers outside that clusters follow. Their Secrets are read each time, so that a password that was
 * changed is known at once; the servers are asked only where something is decided by what they say: before they are
 * copied, and when a cluster is to take over. Any thread; blocks.
 */
public final class ExternalPrimaries {

    public static final String PATH = "spec.bootstrapFrom.externalPrimary";

    private static final String USER_KEY = "username";
    private static final String PASSWORD_KEY = "password";

    private final DatabaseServers servers;

    public ExternalPrimaries(DatabaseServers servers) {
        this.servers = servers;
    }

    /**
     * Empty where a cluster follows none.
     *
     * @param filled whether a Job copies it: it is not asked meanwhile, for hours perhaps, as to look at all of its tables
     *     is work for it
     */
    public Optional<Outside> of(MySQLCluster cluster, boolean filled, KubernetesClient client)
            throws InterruptedException {
        ExternalPrimary asked = Migration.asked(cluster).orElse(null);
        return asked == null || Migration.isOver(cluster)
                ? Optional.empty()
                : Optional.of(outside(cluster, asked, filled, client));
    }

    private Outside outside(MySQLCluster cluster, ExternalPrimary asked, boolean filled, KubernetesClient client)
            throws InterruptedException {
        ExternalTls tls = asked.tls();
        Endpoint endpoint = new Endpoint(asked.host(), asked.port(), tls.encrypts());
        String secretName = asked.credentialsSecretRef().name();
        Secret secret = secret(cluster, secretName, client);
        Optional<String> user = Passwords.value(secret, USER_KEY);
        Optional<String> password = Passwords.value(secret, PASSWORD_KEY);
        if (user.isEmpty() || password.isEmpty()) {
            return without(
                    endpoint,
                    "Secret " + secretName + " of " + PATH + ".credentialsSecretRef is not there, or has nothing under "
                            + USER_KEY + " or " + PASSWORD_KEY);
        }
        SecretRef caSecret = tls.caSecretRef();
        List<X509Certificate> authorities =
                caSecret == null ? List.of() : Certificates.authorities(secret(cluster, caSecret.name(), client));
        if (tls.verifies() && authorities.isEmpty()) {
            return without(
                    endpoint,
                    "Secret " + (caSecret == null ? "" : caSecret.name()) + " of " + PATH
                            + ".tls.caSecretRef is not there, or has no certificates in PEM under ca.crt");
        }
        Upstream upstream = new Upstream(
                endpoint,
                new Account(user.get(), password.get()),
                tls.verifies() ? Migration.AUTHORITIES : "",
                tls.mode() == ExternalTlsMode.VerifyIdentity);
        Outside unasked = new Outside(endpoint, Optional.of(upstream), Optional.empty(), List.of(), Optional.empty());
        boolean isFirst = cluster.told().currentPrimary() == null;
        return (isFirst && !filled) || ClusterKeys.CUT_OVER.of(cluster).isPresent()
                ? asked(unasked, upstream, new Trust(asked.host(), authorities, check(tls.mode())), secretName, isFirst)
                : unasked;
    }

    private Outside asked(Outside unasked, Upstream upstream, Trust trust, String secret, boolean isFirst)
            throws InterruptedException {
        Endpoint endpoint = unasked.endpoint();
        try (DatabaseServer server = servers.server(endpoint, upstream.account(), Optional.of(trust))) {
            SourceState state = server.asSource();
            List<String> suspects = isFirst ? server.tablesWithoutTransactions() : List.of();
            return new Outside(endpoint, unasked.upstream(), Optional.of(state), suspects, Optional.empty());
        } catch (SqlFailure failure) {
            return new Outside(
                    endpoint,
                    unasked.upstream(),
                    Optional.empty(),
                    List.of(),
                    Optional.of(failure.getMessage() + remedy(failure.kind(), secret)));
        }
    }

    private static String remedy(SqlFailure.Kind kind, String secret) {
        return switch (kind) {
            case DENIED -> ": the account in Secret " + secret + " is not let in, or lacks a right";
            case UNREACHABLE ->
                ": see whether " + PATH + " has the right host, port and tls, and whether the operator gets through";
            case DISK_FULL, REFUSED -> "";
        };
    }

    private static Outside without(Endpoint endpoint, String failure) {
        return new Outside(endpoint, Optional.empty(), Optional.empty(), List.of(), Optional.of(failure));
    }

    private static Trust.Check check(ExternalTlsMode mode) {
        return switch (mode) {
            case Disabled, Required -> Trust.Check.NOTHING;
            case VerifyCA -> Trust.Check.AUTHORITY;
            case VerifyIdentity -> Trust.Check.NAME_AND_AUTHORITY;
        };
    }

    private static @Nullable Secret secret(MySQLCluster cluster, String name, KubernetesClient client) {
        return client.secrets()
                .inNamespace(cluster.getMetadata().getNamespace())
                .withName(name)
                .get();
    }
}

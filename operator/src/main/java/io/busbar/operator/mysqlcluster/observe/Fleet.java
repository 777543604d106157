package io.busbar.operator.mysqlcluster.observe;

import io.busbar.operator.mysqlcluster.objects.ClusterNames;
import io.busbar.operator.mysqlcluster.sql.Account;
import io.busbar.operator.mysqlcluster.sql.Accounts;
import io.busbar.operator.mysqlcluster.sql.ClusterCertificate;
import io.busbar.operator.mysqlcluster.sql.DatabaseServer;
import io.busbar.operator.mysqlcluster.sql.DatabaseServers;
import io.busbar.operator.mysqlcluster.sql.Endpoint;
import io.busbar.operator.mysqlcluster.sql.SqlFailure;
import io.busbar.operator.mysqlcluster.sql.SqlFailure.Kind;
import io.busbar.operator.mysqlcluster.sql.Trust;
import io.fabric8.kubernetes.api.model.Pod;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The way to the servers of one cluster. For the thread of one reconcile, which waits. */
public final class Fleet {

    private final String cluster;
    private final Access access;
    private final DatabaseServers servers;
    private final PodAddressing addressing;
    private final Together together;
    private final Optional<ClusterCertificate> certificate;

    /**
     * @param cluster by its name
     * @param certificate by which those are verified that have one; empty where it is not there
     */
    public Fleet(
            String cluster,
            Access access,
            Optional<ClusterCertificate> certificate,
            DatabaseServers servers,
            PodAddressing addressing,
            Together together) {
        this.cluster = cluster;
        this.access = access;
        this.certificate = certificate;
        this.servers = servers;
        this.addressing = addressing;
        this.together = together;
    }

    public Accounts accounts() {
        return access.accounts();
    }

    RotationProgress rotation() {
        return access.rotation();
    }

    /**
     * Asks all servers at once, and the primary last: so it is known to have whatever a replica that is away now has
     * ever had from it. While nobody knows who that is, those that take writes are asked once more.
     *
     * @param known all members, with or without a Pod
     * @param primary by its name
     * @param withEvents whether the primary is asked which events it does not run
     */
    List<Member> ask(Collection<Member> known, @Nullable String primary, boolean withEvents)
            throws InterruptedException {
        Map<String, Member> asked = new HashMap<>();
        List<Member> others =
                known.stream().filter(member -> !member.name().equals(primary)).toList();
        for (Member member : together.map(others, other -> ask(other, (server, one) -> more(server, one, false)))) {
            asked.put(member.name(), primary == null && member.isWritable() ? ask(member) : member);
        }
        for (Member member : known) {
            if (member.name().equals(primary)) {
                asked.put(primary, ask(member, (server, one) -> more(server, one, withEvents)));
            }
        }
        return known.stream().map(member -> asked.get(member.name())).toList();
    }

    /** The same member, asked again about its state alone. */
    Member ask(Member member) throws InterruptedException {
        return ask(member, (server, known) -> known);
    }

    /** Does the same with several at once; returns what came of each, in their order. */
    public <T, R> List<R> together(Collection<T> objects, Together.Task<? super T, ? extends R> task)
            throws InterruptedException {
        return together.map(objects, task);
    }

    /**
     * A session as the operator.
     *
     * @param member that has an address
     */
    public DatabaseServer connect(Member member) {
        return server(member, accounts().operator());
    }

    private DatabaseServer server(Member member, Account account) {
        return servers.server(
                member.endpoint().orElseThrow(),
                account,
                member.pod().flatMap(pod -> certificate.map(its -> trust(cluster, pod, its.authorities()))),
                member.hasAdministrationPort());
    }

    /** By the name of a Pod, whatever it is reached by. */
    public static Trust trust(String cluster, Pod pod, List<X509Certificate> authorities) {
        return new Trust(ClusterNames.host(cluster, pod), authorities);
    }

    /** Whether a member lets somebody in. */
    public boolean admits(Member member, Account account) throws SqlFailure, InterruptedException {
        try (DatabaseServer server = server(member, account)) {
            server.load();
            return true;
        } catch (SqlFailure failure) {
            if (failure.kind() == Kind.DENIED) {
                return false;
            }
            throw failure;
        }
    }

    /** Before it was asked anything. */
    Member unasked(int ordinal, Optional<Pod> pod) {
        return new Member(
                ordinal,
                ClusterNames.pod(cluster, ordinal),
                pod,
                pod.flatMap(one -> endpoint(cluster, one, addressing)),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }

    /** Empty while the Pod has no address. */
    public static Optional<Endpoint> endpoint(String cluster, Pod pod, PodAddressing addressing) {
        String address = pod.getStatus() == null ? null : pod.getStatus().getPodIP();
        if (address == null || address.isEmpty()) {
            return Optional.empty();
        }
        String host = switch (addressing) {
            case DNS -> ClusterNames.host(cluster, pod);
            case POD_IP -> address;
        };
        return Optional.of(new Endpoint(host, ClusterNames.PORT, ClusterNames.isEncrypted(pod.getSpec())));
    }

    /** What else is asked for in the session that there is. */
    private interface Question {
        Member put(DatabaseServer server, Member known) throws SqlFailure, InterruptedException;
    }

    private Member ask(Member member, Question question) throws InterruptedException {
        if (member.endpoint().isEmpty()) {
            return member;
        }
        try {
            return observe(member, question);
        } catch (SqlFailure failure) {
            return member.failed(failure);
        }
    }

    private Member observe(Member member, Question question) throws SqlFailure, InterruptedException {
        try (DatabaseServer server = connect(member)) {
            return question.put(server, member.with(server.observe()));
        }
    }

    /**
     * Root, as the image made it, introduces the operator to a server that is new; the operator itself, with a password
     * that it had, to one that was away while passwords were changed.
     */
    public void introduce(Member member) throws SqlFailure, InterruptedException {
        SqlFailure denied = new SqlFailure(
                Kind.DENIED,
                "only root can introduce the operator to " + member.name()
                        + ", and the Secret with its password is not there",
                null);
        for (Account account : access.introducing()) {
            try {
                introduce(member, account);
                return;
            } catch (SqlFailure failure) {
                if (failure.kind() != Kind.DENIED) {
                    throw failure;
                }
                denied = failure;
            }
        }
        throw denied;
    }

    private void introduce(Member member, Account account) throws SqlFailure, InterruptedException {
        try (DatabaseServer server = server(member, account)) {
            if (account.user().equals("root")) {
                server.forgetBirth();
            }
            server.createAccounts(accounts());
        }
    }

    /** A server that tells its state, and then nothing else, is there all the same. */
    private Member more(DatabaseServer server, Member known, boolean withEvents) throws InterruptedException {
        try {
            return known.with(
                    server.disk(),
                    Optional.of(server.load()),
                    withEvents && known.isWritable() ? Optional.of(server.stoppedEvents()) : Optional.empty(),
                    known.isEncrypted() && certificate.isPresent()
                            ? Optional.of(server.encryption(
                                    accounts(), certificate.get().serving()))
                            : Optional.empty());
        } catch (SqlFailure failure) {
            return known.with(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());
        }
    }
}

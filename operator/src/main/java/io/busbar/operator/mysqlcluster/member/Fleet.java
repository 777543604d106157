package io.busbar.operator.mysqlcluster.member;

import io.busbar.operator.mysqlcluster.objects.ClusterNames;
import io.busbar.operator.mysqlcluster.sql.Account;
import io.busbar.operator.mysqlcluster.sql.Accounts;
import io.busbar.operator.mysqlcluster.sql.DatabaseServer;
import io.busbar.operator.mysqlcluster.sql.DatabaseServers;
import io.busbar.operator.mysqlcluster.sql.Endpoint;
import io.busbar.operator.mysqlcluster.sql.SqlFailure;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The way to the servers of one cluster. For the thread of one reconcile, which waits. */
public final class Fleet {

    private final String cluster;
    private final Accounts accounts;
    private final DatabaseServers servers;
    private final PodAddressing addressing;
    private final Together together;
    private final boolean withLoad;

    /**
     * @param cluster by its name
     * @param withLoad whether members are asked how busy they are
     */
    public Fleet(
            String cluster,
            Accounts accounts,
            DatabaseServers servers,
            PodAddressing addressing,
            Together together,
            boolean withLoad) {
        this.cluster = cluster;
        this.accounts = accounts;
        this.servers = servers;
        this.addressing = addressing;
        this.together = together;
        this.withLoad = withLoad;
    }

    public Accounts accounts() {
        return accounts;
    }

    /**
     * Asks all servers at once, and the primary last: so it is known to have whatever a replica that is away now has ever had from it.
     *
     * @param pods that belong to the cluster
     * @param size how many members there should be; those without a Pod are members too, as is the primary
     * @param silent one that is not asked
     */
    public Members observe(Collection<Pod> pods, int size, @Nullable String primary, @Nullable String silent)
            throws InterruptedException {
        List<Member> known = new ArrayList<>();
        for (Pod pod : pods) {
            ClusterNames.ordinal(cluster, pod.getMetadata().getName())
                    .ifPresent(ordinal -> known.add(unasked(ordinal, Optional.of(pod))));
        }
        IntStream absent = primary == null
                ? IntStream.range(0, size)
                : IntStream.concat(IntStream.range(0, size), ClusterNames.ordinal(cluster, primary).stream());
        absent.distinct()
                .filter(ordinal -> known.stream().noneMatch(member -> member.ordinal() == ordinal))
                .forEach(ordinal -> known.add(unasked(ordinal, Optional.empty())));
        List<Member> asked = new ArrayList<>(together.map(
                known.stream().filter(member -> !member.name().equals(primary)).toList(),
                member -> member.name().equals(silent) ? member : ask(member, this::more)));
        for (Member member : known) {
            if (member.name().equals(primary)) {
                asked.add(ask(member, this::more));
            }
        }
        asked.sort((one, other) -> Integer.compare(one.ordinal(), other.ordinal()));
        return new Members(asked);
    }

    /** The same member, asked again about its state. */
    public Member ask(Member member) throws InterruptedException {
        return ask(member, (server, known) -> known);
    }

    /** Several, asked again at once. */
    public List<Member> ask(Collection<Member> members) throws InterruptedException {
        return together.map(members, member -> ask(member));
    }

    /** Does the same to several at once; returns what came of each, in their order. */
    public <R> List<R> each(Collection<Member> members, Together.Task<Member, R> task) throws InterruptedException {
        return together.map(members, task);
    }

    /**
     * A session as the operator.
     *
     * @param member that has an address
     */
    public DatabaseServer connect(Member member) {
        return servers.server(member.endpoint().orElseThrow(), accounts.operator());
    }

    /** Whether a member lets somebody in. */
    public boolean admits(Member member, Account account) throws SqlFailure, InterruptedException {
        try (DatabaseServer server = servers.server(member.endpoint().orElseThrow(), account)) {
            server.load();
            return true;
        } catch (SqlFailure failure) {
            if (failure.kind() == SqlFailure.Kind.DENIED) {
                return false;
            }
            throw failure;
        }
    }

    private Member unasked(int ordinal, Optional<Pod> pod) {
        return new Member(
                ordinal,
                ClusterNames.pod(cluster, ordinal),
                pod,
                pod.flatMap(one -> endpoint(cluster, one, addressing)),
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
        return Optional.of(new Endpoint(host, ClusterNames.PORT));
    }

    /** What else is asked for in the session that there is. */
    private interface Question {
        Member put(DatabaseServer server, Member known) throws SqlFailure, InterruptedException;
    }

    private Member ask(Member member, Question question) throws InterruptedException {
        Endpoint endpoint = member.endpoint().orElse(null);
        if (endpoint == null) {
            return member;
        }
        try {
            return observe(member, endpoint, question);
        } catch (SqlFailure failure) {
            return member.failed(failure);
        }
    }

    /** A server that does not know the operator is new: root, as its image made it, introduces the operator. */
    private Member observe(Member member, Endpoint endpoint, Question question)
            throws SqlFailure, InterruptedException {
        try (DatabaseServer server = servers.server(endpoint, accounts.operator())) {
            return question.put(server, member.with(server.observe()));
        } catch (SqlFailure failure) {
            if (failure.kind() != SqlFailure.Kind.DENIED) {
                throw failure;
            }
        }
        try (DatabaseServer server = servers.server(endpoint, accounts.root())) {
            server.forgetBirth();
            server.createAccounts(accounts);
        }
        try (DatabaseServer server = servers.server(endpoint, accounts.operator())) {
            return question.put(server, member.with(server.observe()));
        }
    }

    /** A server that tells its state, and then nothing else, is there all the same. */
    private Member more(DatabaseServer server, Member known) throws InterruptedException {
        try {
            return known.with(server.disk(), withLoad ? Optional.of(server.load()) : Optional.empty());
        } catch (SqlFailure failure) {
            return known.with(Optional.empty(), Optional.empty());
        }
    }
}

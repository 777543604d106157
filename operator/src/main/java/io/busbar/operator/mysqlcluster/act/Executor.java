package io.busbar.operator.mysqlcluster.act;

import io.busbar.common.condition.Conditions;
import io.busbar.operator.mysqlcluster.access.Passwords;
import io.busbar.operator.mysqlcluster.decide.Action;
import io.busbar.operator.mysqlcluster.decide.Plan;
import io.busbar.operator.mysqlcluster.objects.ClusterKeys;
import io.busbar.operator.mysqlcluster.objects.ClusterNames;
import io.busbar.operator.mysqlcluster.objects.ClusterObjects;
import io.busbar.operator.mysqlcluster.objects.PerCluster;
import io.busbar.operator.mysqlcluster.observe.Fleet;
import io.busbar.operator.mysqlcluster.observe.Member;
import io.busbar.operator.mysqlcluster.observe.Memory;
import io.busbar.operator.mysqlcluster.observe.Observation;
import io.busbar.operator.mysqlcluster.observe.Remembered;
import io.busbar.operator.mysqlcluster.report.StatusReport;
import io.busbar.operator.mysqlcluster.scale.Autoscaler;
import io.busbar.operator.mysqlcluster.sql.Account;
import io.busbar.operator.mysqlcluster.sql.Application;
import io.busbar.operator.mysqlcluster.sql.DatabaseServer;
import io.busbar.operator.mysqlcluster.sql.DatabaseServer.Freeze;
import io.busbar.operator.mysqlcluster.sql.Position;
import io.busbar.operator.mysqlcluster.sql.ServerState;
import io.busbar.operator.mysqlcluster.sql.SqlFailure;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLBackup;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLCluster;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLRestore;
import io.busbar.reconciler.ReconcileContext;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Does what was decided. The only place where servers and objects of a cluster are changed: right before something that
 * cannot be taken back it asks the server whether it is still the one that was decided on, and each statement asks
 * whether this operator still leads.
 *
 * <p>For the thread of one reconcile, which waits; what is done at once is done on threads of the {@link Fleet}.
 */
final class Executor {

    private static final Logger log = LoggerFactory.getLogger(Executor.class);

    /** With a donor that is still applying. */
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final ReconcileContext<MySQLCluster> context;
    private final Fleet fleet;
    private final StatusReport report;
    private final Autoscaler autoscaler;
    private final Passwords passwords;
    private final PerCluster<Remembered> memories;
    private final Plan plan;
    private Observation seen;
    private final Set<String> touched = new HashSet<>();

    /** Something was not done, because the server is not any more what it was when that was decided. */
    private static final class Refusal extends Exception {

        private static final long serialVersionUID = 1L;

        Refusal(String message) {
            super(message);
        }
    }

    Executor(
            ReconcileContext<MySQLCluster> context,
            Fleet fleet,
            StatusReport report,
            Autoscaler autoscaler,
            Passwords passwords,
            PerCluster<Remembered> memories,
            Observation seen,
            Plan plan) {
        this.context = context;
        this.fleet = fleet;
        this.report = report;
        this.autoscaler = autoscaler;
        this.passwords = passwords;
        this.memories = memories;
        this.seen = seen;
        this.plan = plan;
    }

    /** With what was done by now in memory, and what was saved by now; members are as they were before. */
    synchronized Observation seen() {
        return seen;
    }

    /** Names of the members whose servers something was done to. */
    synchronized Set<String> touched() {
        return Set.copyOf(touched);
    }

    /**
     * Does what was planned, in order, until something fails.
     *
     * @return whether all was done
     * @throws KubernetesClientException what the API server refuses ends the turn
     */
    boolean performAll() throws InterruptedException {
        return perform(new Action.InOrder(plan.actions()));
    }

    private boolean perform(Action action) throws InterruptedException {
        if (action instanceof Action.InOrder steps) {
            for (Action one : steps.actions()) {
                if (!perform(one)) {
                    return false;
                }
            }
            return true;
        }
        if (action instanceof Action.AtOnce all) {
            return fleet.together(all.actions(), this::perform).stream().allMatch(done -> done);
        }
        if (action instanceof Action.OnServer onServer) {
            return perform(onServer);
        }
        if (action instanceof Action.Label label) {
            boolean isDone = label(label);
            if (isDone) {
                note(label, label.member(), null);
            }
            return isDone;
        }
        onCluster(action);
        return true;
    }

    private boolean perform(Action.OnServer action) throws InterruptedException {
        @Nullable String failure = null;
        try {
            onServer(action);
        } catch (SqlFailure | Refusal why) {
            failure = String.valueOf(why.getMessage());
            log.atInfo()
                    .addKeyValue("action", action.getClass().getSimpleName())
                    .addKeyValue("member", action.member().name())
                    .addKeyValue("error", failure)
                    .log("not done");
        }
        note(action, action.member(), failure);
        return failure == null;
    }

    private synchronized void note(Action action, Member member, @Nullable String failure) {
        if (action instanceof Action.OnServer) {
            touched.add(member.name());
        }
        if (action instanceof Action.HandOver handOver) {
            touched.add(handOver.next().name());
        }
        seen = seen.with(
                seen.memory().with(new Memory.Deed(action.getClass(), member.name(), Optional.ofNullable(failure))));
    }

    private void onServer(Action.OnServer action) throws SqlFailure, Refusal, InterruptedException {
        Member member = action.member();
        if (action instanceof Action.AskAgain) {
            return; // It is looked at again after anything that is done to it.
        }
        if (action instanceof Action.Introduce) {
            fleet.introduce(member);
            return;
        }
        if (action instanceof Action.HandOver handOver) {
            handOver(handOver);
            return;
        }
        try (DatabaseServer server = fleet.connect(member)) {
            if (action instanceof Action.Open open) {
                requireSame(member, server.observe());
                open(server, open.acknowledgements());
            } else if (action instanceof Action.Close || action instanceof Action.Fence) {
                server.makeReadOnly();
                server.closeClients();
            } else if (action instanceof Action.StandStill) {
                requireSame(member, server.observe());
                server.makeReadOnly();
                server.closeClients();
                server.stopFollowing();
            } else if (action instanceof Action.Follow follow) {
                follow(server, follow);
            } else if (action instanceof Action.AdmitReplicas) {
                server.admitReplicas(fleet.accounts().replication());
            } else if (action instanceof Action.FollowOutside follow) {
                requireSame(member, server.observe());
                server.makeReadOnly();
                server.acknowledgeByReplicas(0);
                server.follow(follow.upstream());
            } else if (action instanceof Action.RequireAcknowledgements required) {
                requireSame(member, server.observe());
                server.acknowledgeByReplicas(required.replicas());
            } else if (action instanceof Action.StopReceiving) {
                server.stopReceiving();
            } else if (action instanceof Action.AwaitReceived await) {
                awaitReceived(server, await.patience());
            } else if (action instanceof Action.Drain drain) {
                server.stopReceiving();
                awaitReceived(server, drain.patience());
            } else if (action instanceof Action.Erase) {
                requireUntouched(member, server.observe());
                server.erase();
            } else if (action instanceof Action.Seed seed) {
                seed(server, seed);
            } else if (action instanceof Action.Copy copy) {
                copy(server, copy);
            } else if (action instanceof Action.AcceptCopy) {
                requireSame(member, server.observe());
                server.createAccounts(fleet.accounts());
                server.acceptCopy();
            } else if (action instanceof Action.LetProgramsIn) {
                letProgramsIn(server, member);
            } else if (action instanceof Action.SetExporter) {
                setExporter(server, member);
            } else if (action instanceof Action.SetPasswords) {
                server.createAccounts(fleet.accounts());
            } else if (action instanceof Action.Reconnect reconnect) {
                requireSame(member, server.observe());
                server.reconnect(reconnect.source(), fleet.accounts().replication());
            } else if (action instanceof Action.MakeDatabase database) {
                server.createDatabase(database.name());
            } else if (action instanceof Action.ReloadCertificate) {
                server.reloadCertificate();
            } else if (action instanceof Action.RequireEncryption encryption) {
                server.requireEncryption(fleet.accounts(), encryption.required());
            } else if (action instanceof Action.EnableEvents events) {
                server.enableEvents(events.disabled());
            } else {
                throw new IllegalStateException(action.toString());
            }
        }
    }

    /** It is the same server with the same data, which nobody has opened since. */
    private static void requireSame(Member member, ServerState now) throws Refusal {
        ServerState before = member.state().orElse(null);
        if (before == null) {
            return;
        }
        if (!now.writer().equals(before.writer()) || now.incomplete() != before.incomplete()) {
            throw new Refusal(member.name() + " is not the server any more that it was a moment ago");
        }
        if (before.readOnly() && !now.readOnly()) {
            throw new Refusal(member.name() + " was made writable by somebody a moment ago");
        }
        if (!now.history().contains(before.history())) {
            throw new Refusal(member.name() + " has lost what it had a moment ago");
        }
    }

    /** And nothing has happened to it. */
    private static void requireUntouched(Member member, ServerState now) throws Refusal {
        requireSame(member, now);
        ServerState before = member.state().orElseThrow();
        if (!now.readOnly() || !before.history().contains(now.history())) {
            throw new Refusal(member.name() + " has got writes a moment ago");
        }
    }

    private static void open(DatabaseServer server, int acknowledgements) throws SqlFailure, InterruptedException {
        server.stopFollowing();
        server.acknowledgeByReplicas(acknowledgements);
        server.makeWritable();
    }

    private static void awaitReceived(DatabaseServer server, Duration patience)
            throws SqlFailure, Refusal, InterruptedException {
        if (!server.awaitReceived(patience)) {
            throw new Refusal("it is still applying what it received");
        }
    }

    private void follow(DatabaseServer server, Action.Follow follow) throws SqlFailure, Refusal, InterruptedException {
        requireSame(follow.member(), server.observe());
        boolean own =
                follow.member().state().filter(state -> !state.own().isEmpty()).isPresent();
        server.makeReadOnly();
        server.acknowledgeByReplicas(0);
        // Rights that the primary has given an account end replication where there is no such account.
        Optional<Application> application = fleet.accounts().application();
        if (application.isPresent() && !server.hasApplication(application.get())) {
            server.createAccounts(fleet.accounts());
        }
        server.follow(follow.source(), fleet.accounts().replication(), own);
    }

    /** One that was given its position before is not given it again: it may have gone on since. */
    private void seed(DatabaseServer server, Action.Seed seed) throws SqlFailure, Refusal, InterruptedException {
        ServerState now = server.observe();
        if (!now.readOnly()) {
            throw new Refusal(seed.member().name() + " was made writable by somebody a moment ago");
        }
        if (now.incomplete()) {
            server.createAccounts(fleet.accounts());
            server.seed(seed.position());
        }
    }

    private void copy(DatabaseServer server, Action.Copy copy) throws SqlFailure, Refusal, InterruptedException {
        requireUntouched(copy.member(), server.observe());
        try (DatabaseServer donor = fleet.connect(copy.donor())) {
            requireSame(copy.donor(), donor.observe());
            if (!donor.awaitApplied(copy.required(), PATIENCE)) {
                throw new Refusal(copy.donor().name() + " does not have "
                        + copy.required().text() + " yet");
            }
            Optional<String> objection = donor.offerCopy(fleet.accounts().replication());
            if (objection.isPresent()) {
                throw new Refusal(copy.donor().name() + ": " + objection.get());
            }
        }
        server.beginCopy(copy.donor().endpoint().orElseThrow(), fleet.accounts().replication());
    }

    private void letProgramsIn(DatabaseServer server, Member member) throws SqlFailure, InterruptedException {
        Application application = fleet.accounts().application().orElseThrow();
        if (!fleet.admits(member, application.account()) || !server.hasApplication(application)) {
            server.createAccounts(fleet.accounts());
        }
    }

    private void setExporter(DatabaseServer server, Member member) throws SqlFailure, InterruptedException {
        Account exporter = fleet.accounts().exporter().orElse(null);
        if (!server.isExporterAsWanted(fleet.accounts()) || (exporter != null && !fleet.admits(member, exporter))) {
            server.createAccounts(fleet.accounts());
        }
    }

    private void handOver(Action.HandOver way) throws SqlFailure, Refusal, InterruptedException {
        boolean hasTakenOver = false;
        try (DatabaseServer from = fleet.connect(way.member());
                DatabaseServer to = fleet.connect(way.next())) {
            requireSame(way.next(), to.observe());
            from.makeReadOnly();
            from.closeClients();
            try (Freeze freeze = from.freeze(way.patience())) {
                Position all = freeze.position();
                if (!to.awaitApplied(all, way.patience())) {
                    throw new Refusal(way.next().name() + " does not have " + all.text() + " after "
                            + way.patience().toSeconds() + " s");
                }
                open(to, way.acknowledgements());
                perform(way.whenOpen());
                hasTakenOver = true;
                from.closeClients();
            }
        } catch (SqlFailure lost) {
            if (!hasTakenOver) {
                throw lost;
            }
            log.atInfo()
                    .addKeyValue("member", way.member().name())
                    .addKeyValue("error", lost.getMessage())
                    .log("the old primary is not seen to have ended its clients");
        }
    }

    private void onCluster(Action action) {
        if (action instanceof Action.Save save) {
            save(save);
        } else if (action instanceof Action.Tell event) {
            tell(event);
        } else if (action instanceof Action.DeletePod deletion) {
            deletePod(deletion);
        } else if (action instanceof Action.Delete deletion) {
            context.delete(deletion.object());
        } else if (action instanceof Action.StartJob start) {
            context.create(start.job());
        } else if (action instanceof Action.DeleteJob deletion) {
            context.delete(deletion.job());
        } else if (action instanceof Action.Annotate annotations) {
            annotate(annotations);
        } else if (action instanceof Action.Resize resize) {
            resize(resize.replicas());
        } else if (action instanceof Action.MakeBackup backup) {
            makeBackup(backup);
        } else if (action instanceof Action.Verify verify) {
            verify(verify);
        } else if (action instanceof Action.TellRestore told) {
            tellRestore(told);
        } else if (action instanceof Action.Rotate rotate) {
            passwords.rotate(seen.cluster(), rotate.to(), rotate.request(), rotate.withApplication(), context.client());
        } else if (action instanceof Action.AskAutoscaler) {
            seen = seen.with(seen.memory()
                    .with(autoscaler.sample(
                            seen,
                            Objects.requireNonNull(seen.spec().autoscaling()),
                            context.lister(MySQLCluster.class))));
        } else if (action instanceof Action.Remember memory) {
            memories.remember(seen.cluster(), memory.next(), context.lister(MySQLCluster.class));
            seen = seen.with(seen.memory().with(memory.next()));
        } else {
            throw new IllegalStateException(action.toString());
        }
    }

    /** Writes what there is to tell, and tells by Events what conditions did not say before. */
    synchronized void save(Action.Save save) {
        MySQLCluster before = seen.cluster();
        seen = seen.with(save.progress());
        MySQLCluster next = report.of(seen, plan, save.joining(), context.lister(MySQLCluster.class));
        seen = seen.with(context.status(next));
        plan.notes().values().forEach(note -> {
            Action.Tell event = note.event();
            boolean isNew = Conditions.find(
                            before.told().conditions(), note.reason().type())
                    .filter(told -> note.reason().reason().equals(told.getReason()))
                    .isEmpty();
            if (event != null && isNew) {
                tell(event);
            }
        });
    }

    private void tell(Action.Tell event) {
        if (event.warning()) {
            context.events().warning(event.about(), event.reason(), event.action(), event.note());
        } else {
            context.events().normal(event.about(), event.reason(), event.action(), event.note());
        }
    }

    private void deletePod(Action.DeletePod deletion) {
        Pod pod = deletion.member().pod().orElseThrow();
        if (deletion.grace() == null) {
            context.delete(pod);
        } else {
            context.delete(pod, deletion.grace());
        }
    }

    /**
     * Only the Pod as it was seen: a request that was on its way for long must not label one that is another's by now.
     */
    private boolean label(Action.Label label) {
        Pod pod = label.member().pod().orElseThrow();
        Map<String, @Nullable String> labels = new HashMap<>();
        labels.put(ClusterNames.ROLE, label.role().isEmpty() ? null : label.role());
        Map<String, Object> metadata = new LinkedHashMap<>();
        metadata.put("labels", labels);
        String version = pod.getMetadata().getResourceVersion();
        if (version != null) {
            metadata.put("resourceVersion", version);
        }
        try {
            context.remember(context.client()
                    .pods()
                    .inNamespace(pod.getMetadata().getNamespace())
                    .withName(pod.getMetadata().getName())
                    .patch(PatchContext.of(PatchType.JSON_MERGE), Serialization.asJson(Map.of("metadata", metadata))));
            return true;
        } catch (KubernetesClientException failure) {
            if (failure.getCode() == HttpURLConnection.HTTP_CONFLICT) {
                return labelAsItIsNow(label, pod);
            }
            if (failure.getCode() != HttpURLConnection.HTTP_NOT_FOUND) {
                throw failure;
            }
            note(label, label.member(), "its Pod is gone");
            return false;
        }
    }

    /** Somebody else, such as its kubelet, has written to it since it was seen. */
    private boolean labelAsItIsNow(Action.Label label, Pod seenPod) {
        Pod now = context.client()
                .pods()
                .inNamespace(seenPod.getMetadata().getNamespace())
                .withName(seenPod.getMetadata().getName())
                .get();
        boolean isSame = now != null
                && Objects.equals(
                        now.getMetadata().getUid(), seenPod.getMetadata().getUid());
        if (isSame && ClusterNames.label(now, ClusterNames.ROLE).equals(label.role())) {
            context.remember(now);
            return true;
        }
        boolean isAsSeen = isSame
                && ClusterNames.label(now, ClusterNames.ROLE).equals(ClusterNames.label(seenPod, ClusterNames.ROLE))
                && !Objects.equals(
                        now.getMetadata().getResourceVersion(),
                        seenPod.getMetadata().getResourceVersion());
        if (isAsSeen) {
            return label(new Action.Label(label.member().with(now), label.role()));
        }
        note(label, label.member(), "its Pod is not what it was");
        return false;
    }

    private void annotate(Action.Annotate annotations) {
        MySQLCluster patched = context.remember(context.client()
                .resources(MySQLCluster.class)
                .inNamespace(context.key().namespace())
                .withName(context.key().name())
                .patch(
                        PatchContext.of(PatchType.JSON_MERGE),
                        Serialization.asJson(Map.of("metadata", Map.of("annotations", annotations.values())))));
        seen = seen.with(patched);
    }

    private void makeBackup(Action.MakeBackup making) {
        try {
            context.remember(context.client().resource(making.backup()).create());
        } catch (KubernetesClientException failure) {
            if (failure.getCode() != HttpURLConnection.HTTP_CONFLICT) {
                throw failure;
            }
        }
    }

    private void verify(Action.Verify verify) {
        Map<String, String> annotation = Map.of(ClusterKeys.VERIFY.name(), verify.request());
        context.remember(context.client()
                .resources(MySQLBackup.class)
                .inNamespace(context.key().namespace())
                .withName(verify.backup().getMetadata().getName())
                .patch(
                        PatchContext.of(PatchType.JSON_MERGE),
                        Serialization.asJson(Map.of("metadata", Map.of("annotations", annotation)))));
    }

    private void tellRestore(Action.TellRestore told) {
        String patch = context.client()
                .getKubernetesSerialization()
                .asJson(Map.of(
                        "metadata",
                        Map.of("resourceVersion", told.restore().getMetadata().getResourceVersion()),
                        "status",
                        told.status()));
        context.remember(context.client()
                .resources(MySQLRestore.class)
                .inNamespace(told.restore().getMetadata().getNamespace())
                .withName(told.restore().getMetadata().getName())
                .subresource("status")
                .patch(PatchContext.of(PatchType.JSON_MERGE), patch));
    }

    private void resize(int replicas) {
        List<Pod> pods = seen.members().all().stream()
                .flatMap(member -> member.pod().stream())
                .toList();
        context.apply(new ClusterObjects(seen.cluster(), Optional.of(seen.statefulSet()), pods).statefulSet(replicas));
    }
}

package io.busbar.reconciler.storage;

import io.busbar.common.api.ApiFailure;
import io.busbar.reconciler.EventRecorder;
import io.busbar.reconciler.storage.MigratedDefinition.Progress;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceList;
import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has all objects of a kind stored in the version that its definition stores now, and then takes the other versions off
 * the definition's {@code status.storedVersions}: only then may these leave the definition, and can all be read without
 * conversion.
 *
 * <p>Each object gets an empty patch, through its status where it has one: the API server writes it anew if it is
 * stored in another version, and writes nothing if not. No generation changes, and nobody's webhook for the object is
 * asked. What somebody else has changed or deleted meanwhile is stored in the new version, or not at all.
 *
 * <p>The definition's condition {@code StorageMigrated} tells people how far it is, and whoever comes after a crash
 * where to go on, unless the definition has changed since. It is written every 200 objects, and at the begin and the
 * end, of which Events tell, too.
 *
 * <p>Gentle by default: some 20 objects a second. What fails is told once and tried again, all of it, after a minute,
 * until it ends or is stopped.
 *
 * <p>Any thread; blocks none. Needs get of the definition and patch of its status, by its name; create and patch of
 * Events in the namespace default, or in kube-system before Kubernetes 1.21; list of the kind, and patch of its status,
 * or of itself where it has none. For who leads: several at once do the same work, and no harm.
 */
public final class StorageMigration {

    private static final Logger log = LoggerFactory.getLogger(StorageMigration.class);

    private static final ResourceDefinitionContext DEFINITIONS =
            ResourceDefinitionContext.fromResourceType(CustomResourceDefinition.class);
    private static final PatchContext MERGE = PatchContext.of(PatchType.JSON_MERGE);
    private static final Duration AGAIN = Duration.ofMinutes(1);
    private static final long PAGE = 20;
    /** A definition is large, and each note is sent to all who watch it. */
    private static final int PAGES_BETWEEN_NOTES = 10;

    private static final int MOST_CONFLICTS = 5;

    private static final String ACTION = "Migrate";
    private static final String UNDER_WAY = "Migrating";
    private static final String DONE = "Migrated";

    private final Vertx vertx;
    private final KubernetesClient client;
    private final String name;
    private final EventRecorder events;
    private final Pace pace;
    private final Counter touched;
    private final Promise<Void> ended = Promise.promise();

    private volatile boolean stopped;
    /** For people; empty while there is nothing to do. */
    private volatile String remark = "";
    /** What was told last of what fails. */
    private volatile String told = "";

    /**
     * How fast it goes.
     *
     * @param settled within which every API server has heard of a definition that has just changed: nothing is touched
     *     before
     * @param betweenPages of 20 objects
     */
    public record Pace(Duration settled, Duration betweenPages) {

        /** Not felt by others: 10 seconds, then 20 objects a second. */
        public static Pace gentle() {
            return new Pace(Duration.ofSeconds(10), Duration.ofSeconds(1));
        }
    }

    /** One run from the first page to the last, or from where another has stopped. */
    private record Run(
            MigratedDefinition definition,
            Progress progress,
            int pages,
            @Nullable String problem) {}

    /**
     * @param client of whoever may write
     * @param name of the definition, such as {@code crates.shop.example.com}
     * @param events tell of its begin and end
     */
    public StorageMigration(
            Vertx vertx, KubernetesClient client, String name, EventRecorder events, MeterRegistry meters, Pace pace) {
        this.vertx = vertx;
        this.client = client;
        this.name = name;
        this.events = events;
        this.pace = pace;
        this.touched = Counter.builder("busbar.storage.migration.objects")
                .description(
                        "Objects that were stored anew, or needed not be, for a definition that stores another version now.")
                .tag("name", name)
                .register(meters);
        Gauge.builder("busbar.storage.migration.pending", () -> remark.isEmpty() ? 0 : 1)
                .description(
                        "Whether objects of a kind may be stored in another version than its definition stores now.")
                .tag("name", name)
                .register(meters);
    }

    /**
     * Begins; once.
     *
     * @return completes when all is stored in one version, or this is stopped
     */
    public Future<Void> start() {
        attempt();
        return ended.future();
    }

    /** What is under way, for people; empty where nothing is to be done. */
    public Optional<String> remark() {
        return Optional.of(remark).filter(text -> !text.isEmpty());
    }

    /** Ends after the page that is under way. */
    public void stop() {
        stopped = true;
        ended.tryComplete();
    }

    private void attempt() {
        if (stopped) {
            return;
        }
        vertx.executeBlocking(this::begin, false)
                .compose(found -> found.map(this::migrate).orElseGet(Future::succeededFuture))
                .onSuccess(done -> {
                    remark = "";
                    ended.tryComplete();
                })
                .onFailure(this::failed);
    }

    private void failed(Throwable failure) {
        if (stopped) {
            return;
        }
        String reason = ApiFailure.reason(failure);
        remark = name + ": not all objects could be stored anew: " + reason;
        if (!reason.equals(told)) {
            told = reason;
            log.atWarn()
                    .addKeyValue("name", name)
                    .addKeyValue("reason", reason)
                    .log("not all objects could be stored in the present version; it is tried again");
        }
        vertx.executeBlocking(() -> tellFailure(reason), false)
                .onComplete(said -> vertx.setTimer(AGAIN.toMillis(), timer -> attempt()));
    }

    /** Blocks. Whether it can be told or not, it is tried again. */
    private boolean tellFailure(String reason) {
        GenericKubernetesResource found = definition().get();
        return found != null && tell(found, reason);
    }

    private boolean tell(GenericKubernetesResource found, String reason) {
        String note = "not all objects could be stored anew: " + reason;
        boolean news = say(read(found).patch(false, "Failed", note, Instant.now()));
        if (news) {
            events.warning(found, "StorageMigrationFailed", ACTION, note);
        }
        return news;
    }

    /** Empty where there is nothing to do. */
    private Optional<MigratedDefinition> begin() {
        GenericKubernetesResource found = definition().get();
        if (found == null) {
            return Optional.empty();
        }
        MigratedDefinition definition = read(found);
        if (definition.others().isEmpty()) {
            // Said by one who could not end it, or by an operator of another version after which somebody else did.
            if (definition.isSaidToBeUnderWay()) {
                say(definition.patch(true, DONE, "all objects are stored as " + definition.version(), Instant.now()));
            }
            return Optional.empty();
        }
        Progress before = definition.progress();
        if (say(definition.patch(false, UNDER_WAY, definition.message(before), Instant.now()))) {
            events.normal(
                    found,
                    "StorageMigrationStarted",
                    ACTION,
                    "objects are about to be stored as " + definition.version() + ", not as "
                            + String.join(", ", definition.others()));
        }
        log.atInfo()
                .addKeyValue("name", name)
                .addKeyValue("from", String.join(", ", definition.others()))
                .addKeyValue("to", definition.version())
                .addKeyValue("done", before.objects())
                .log("objects are about to be stored in the present version");
        return Optional.of(definition);
    }

    private MigratedDefinition read(GenericKubernetesResource found) {
        return MigratedDefinition.of(found, client.getKubernetesSerialization());
    }

    private Resource<GenericKubernetesResource> definition() {
        return client.genericKubernetesResources(DEFINITIONS).withName(name);
    }

    /** Whether there was something to say. */
    private boolean say(Optional<String> patch) {
        patch.ifPresent(status -> definition().subresource("status").patch(MERGE, status));
        return patch.isPresent();
    }

    private Future<Void> migrate(MigratedDefinition definition) {
        remark = name + ": objects are about to be stored as " + definition.version();
        return vertx.timer(Math.max(1, pace.settled().toMillis()))
                .compose(settled -> page(new Run(definition, definition.progress(), 0, null)))
                .compose(run -> {
                    if (run.problem() != null) {
                        return Future.failedFuture(run.problem());
                    }
                    return vertx.executeBlocking(() -> finish(run, MOST_CONFLICTS), false);
                });
    }

    private Future<Run> page(Run run) {
        if (stopped) {
            return Future.failedFuture("stopped");
        }
        remark = name + ": " + run.progress().objects() + " objects are stored as "
                + run.definition().version();
        return vertx.executeBlocking(() -> touchPage(run), false)
                .compose(next -> next.progress().continuation().isEmpty()
                        ? Future.succeededFuture(next)
                        : vertx.timer(Math.max(1, pace.betweenPages().toMillis()))
                                .compose(later -> page(next)));
    }

    /** Blocks. */
    private Run touchPage(Run run) {
        GenericKubernetesResourceList listed =
                list(run.definition(), run.progress().continuation());
        String problem = run.problem();
        for (GenericKubernetesResource object : listed.getItems()) {
            String refused = touch(run.definition(), object);
            problem = problem == null ? refused : problem;
        }
        String next = listed.getMetadata().getContinue();
        Progress progress =
                new Progress(run.progress().objects() + listed.getItems().size(), next == null ? "" : next);
        Run after = new Run(run.definition(), progress, run.pages() + 1, problem);
        // Whoever goes on from there must not miss what could not be stored.
        if (problem == null && !progress.continuation().isEmpty() && after.pages() % PAGES_BETWEEN_NOTES == 0) {
            note(after);
        }
        return after;
    }

    /**
     * A page. Where the API server has forgotten how all of it was at the first page, the rest is listed as it is now:
     * what was created or changed meanwhile is stored in the present version.
     */
    private GenericKubernetesResourceList list(MigratedDefinition definition, String continuation) {
        try {
            return listFrom(definition, continuation);
        } catch (KubernetesClientException failure) {
            String rest = failure.getCode() == HttpURLConnection.HTTP_GONE
                            && failure.getStatus() != null
                            && failure.getStatus().getMetadata() != null
                    ? failure.getStatus().getMetadata().getContinue()
                    : null;
            if (rest == null || rest.isEmpty() || rest.equals(continuation)) {
                throw failure;
            }
            return listFrom(definition, rest);
        }
    }

    private GenericKubernetesResourceList listFrom(MigratedDefinition definition, String continuation) {
        return client.genericKubernetesResources(definition.kind())
                .inAnyNamespace()
                .list(new ListOptionsBuilder()
                        .withLimit(PAGE)
                        .withContinue(continuation)
                        .build());
    }

    /** For whoever goes on after a crash; the next note makes up for one that is not taken. */
    private void note(Run run) {
        GenericKubernetesResource found = definition().get();
        if (found == null) {
            return;
        }
        MigratedDefinition now = read(found);
        try {
            if (now.isAs(run.definition())) {
                say(now.patch(false, UNDER_WAY, now.message(run.progress()), Instant.now()));
            }
        } catch (KubernetesClientException failure) {
            if (failure.getCode() != HttpURLConnection.HTTP_CONFLICT) {
                throw failure;
            }
        }
    }

    /** Why it could not be stored; null if it is. */
    private @Nullable String touch(MigratedDefinition definition, GenericKubernetesResource object) {
        String patch =
                "{\"metadata\":{\"resourceVersion\":\"" + object.getMetadata().getResourceVersion() + "\"}}";
        var resource = client.genericKubernetesResources(definition.kind()).resource(object);
        try {
            if (definition.hasStatus()) {
                resource.subresource("status").patch(MERGE, patch);
            } else {
                resource.patch(MERGE, patch);
            }
        } catch (KubernetesClientException failure) {
            if (failure.getCode() != HttpURLConnection.HTTP_CONFLICT
                    && failure.getCode() != HttpURLConnection.HTTP_NOT_FOUND) {
                return object.getMetadata().getName() + ": " + ApiFailure.reason(failure);
            }
        }
        touched.increment();
        return null;
    }

    /** Blocks. The definition may be another by now: what it stores counts, all else of it does not matter. */
    private Void finish(Run run, int conflicts) {
        GenericKubernetesResource found = definition().get();
        if (found == null) {
            return null;
        }
        MigratedDefinition now = read(found);
        if (!now.version().equals(run.definition().version())) {
            throw new IllegalStateException("another version is stored now: " + now.version());
        }
        String note = run.progress().objects() + " objects are stored as " + now.version();
        try {
            say(now.patch(true, DONE, note, Instant.now()));
        } catch (KubernetesClientException failure) {
            if (failure.getCode() != HttpURLConnection.HTTP_CONFLICT || conflicts == 0) {
                throw failure;
            }
            return finish(run, conflicts - 1);
        }
        events.normal(found, "StorageMigrated", ACTION, note);
        log.atInfo()
                .addKeyValue("name", name)
                .addKeyValue("version", now.version())
                .addKeyValue("objects", run.progress().objects())
                .log("all objects are stored in the present version");
        return null;
    }
}

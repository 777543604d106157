package io.busbar.sandbox.quota;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.common.ObjectKey;
import io.busbar.sandbox.controller.ControllerContext;
import io.busbar.sandbox.controller.SyncLoop;
import io.busbar.sandbox.storage.GroupResource;
import io.busbar.sandbox.storage.Metadata;
import io.busbar.sandbox.storage.StoreEvent;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Counts what is used of each quota: when its limits change, when something goes, and every five minutes.
 *
 * <p>One context. Looks at what was written no sooner than a real one does: until then the server's own charges stand.
 */
public final class QuotaController {

    private static final Duration RESYNC = Duration.ofMinutes(5);

    private final ControllerContext context;
    private final SyncLoop loop;

    private QuotaController(ControllerContext context) {
        this.context = context;
        this.loop = new SyncLoop(context.vertx(), context.clock(), context.name(), this::sync);
    }

    /** @return what stops it */
    public static Runnable start(ControllerContext context) {
        QuotaController controller = new QuotaController(context);
        Runnable watch = context.store().watch(null, controller::changed);
        return () -> {
            watch.run();
            controller.loop.stop();
        };
    }

    private void changed(StoreEvent event) {
        ObjectNode before = event.previous();
        ObjectNode object = event.object();
        if (event.resource().equals(Quotas.RESOURCE)) {
            if (before == null || !before.path("spec").equals(object.path("spec"))) {
                loop.soon(event.key());
            }
        } else if (event.type() == StoreEvent.Type.DELETED
                || (event.type() == StoreEvent.Type.MODIFIED
                        && before != null
                        && frees(event.resource(), before, object))) {
            context.store()
                    .list(Quotas.RESOURCE, event.key().namespace())
                    .forEach(quota -> loop.soon(Metadata.of(quota).key()));
        }
    }

    /** Whether an update may have made an object use less. */
    private boolean frees(GroupResource kind, ObjectNode before, ObjectNode object) {
        if (!kind.group().isEmpty()) {
            return false;
        }
        return switch (kind.plural()) {
            case "pods" ->
                !phase(before).equals(phase(object))
                        || !before.at("/spec/containers").equals(object.at("/spec/containers"));
            case "services" ->
                !Usage.of(kind, before, context.clock().instant())
                        .sameAs(Usage.of(kind, object, context.clock().instant()));
            case "persistentvolumeclaims" -> !before.at("/spec/resources").equals(object.at("/spec/resources"));
            default -> false;
        };
    }

    private static JsonNode phase(ObjectNode pod) {
        return pod.at("/status/phase");
    }

    private Future<@Nullable Duration> sync(ObjectKey key) {
        ObjectNode quota = context.store().get(Quotas.RESOURCE, key);
        if (quota == null) {
            return Future.succeededFuture();
        }
        Amounts hard = Amounts.of(quota.path("spec").path("hard"));
        Amounts used = count(quota, hard);
        return context.store()
                .updateStatus(Quotas.RESOURCE, key, current -> {
                    Objects.requireNonNull(current);
                    ObjectNode status = current.withObject("/status");
                    if (!hard.sameAs(Amounts.of(status.path("hard")))
                            || !used.sameAs(Amounts.of(status.path("used")))
                            || !status.has("hard")) {
                        status.set("hard", hard.node());
                        status.set("used", used.node());
                    }
                    return current;
                })
                .map(written -> RESYNC);
    }

    private Amounts count(ObjectNode quota, Amounts hard) {
        Amounts used = new Amounts();
        String namespace = Metadata.of(quota).namespace();
        for (GroupResource kind : context.store().resources()) {
            Amounts limited = hard.only(name -> Usage.isOf(kind, name));
            if (limited.names().isEmpty()) {
                continue;
            }
            limited.names().forEach(name -> used.add(name, Amounts.NONE));
            for (ObjectNode object : context.store().list(kind, namespace)) {
                if (Scopes.contain(quota.path("spec"), kind, object)) {
                    used.add(Usage.of(kind, object, context.clock().instant()).only(limited.names()::contains));
                }
            }
        }
        return used;
    }
}

package io.busbar.sandbox.admission;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.admission.WebhookRegistry.Match;
import io.busbar.sandbox.cel.MatchConditions;
import io.busbar.sandbox.patch.JsonPatch;
import io.busbar.sandbox.patch.PatchException;
import io.busbar.sandbox.resource.Catalog;
import io.busbar.sandbox.resource.Release;
import io.busbar.sandbox.resource.Resource;
import io.busbar.sandbox.status.StatusException;
import io.busbar.sandbox.storage.MemoryStore;
import io.busbar.sandbox.syntax.GoText;
import io.busbar.sandbox.webhook.WebhookClient;
import io.vertx.core.Future;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The webhooks' say: mutating ones in order, each on what the one before left, then again those that ask for it;
 * validating ones all at once, the first in order that refuses gives the reason.
 *
 * <p>One context.
 */
public final class Webhooks implements Mutator {

    private static final Logger log = LoggerFactory.getLogger(Webhooks.class);
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final int MOST_REJECTION_CODE = 599;
    /** The release that tells a call that failed from an answer that is none. */
    private static final int WORDED = 23;

    private final WebhookRegistry registry;
    private final WebhookClient client;
    private final boolean worded;
    private final ExpressionInputs inputs;

    public Webhooks(
            MemoryStore store, Catalog catalog, WebhookClient client, Release release, ExpressionInputs inputs) {
        this.inputs = inputs;
        this.worded = release.since(WORDED);
        this.registry = new WebhookRegistry(store, catalog);
        this.client = client;
    }

    @Override
    public Future<@Nullable ObjectNode> mutate(AdmissionAttributes attributes, @Nullable ObjectNode object, Turn turn) {
        Future<@Nullable ObjectNode> state = Future.succeededFuture(object);
        for (Webhook webhook : registry.webhooks(true, attributes)) {
            state = state.compose(current -> step(webhook, attributes, current, turn));
        }
        return state;
    }

    private Future<@Nullable ObjectNode> step(
            Webhook webhook, AdmissionAttributes attributes, @Nullable ObjectNode current, Turn turn) {
        Optional<Match> match =
                turn.passes(webhook.id()) ? Optional.empty() : registry.match(webhook, attributes, current);
        if (match.isEmpty()) {
            return Future.succeededFuture(current);
        }
        return patched(match.get(), attributes, current).map(after -> {
            if (!Objects.equals(after, current)) {
                turn.change();
            }
            if (webhook.reinvoked()) {
                turn.asked(webhook.id());
            }
            return after;
        });
    }

    @Override
    public Future<Void> validate(AdmissionAttributes attributes, @Nullable ObjectNode object) {
        List<Future<JsonNode>> calls = new ArrayList<>();
        for (Webhook webhook : registry.webhooks(false, attributes)) {
            registry.match(webhook, attributes, object)
                    .ifPresent(match -> calls.add(review(match, attributes, object)));
        }
        if (calls.isEmpty()) {
            return Future.succeededFuture();
        }
        return Future.join(calls).transform(all -> {
            for (Future<JsonNode> call : calls) {
                if (call.failed()) {
                    return Future.failedFuture(call.cause());
                }
            }
            return Future.succeededFuture();
        });
    }

    private Future<@Nullable ObjectNode> patched(
            Match match, AdmissionAttributes attributes, @Nullable ObjectNode object) {
        return review(match, attributes, object).compose(response -> {
            String patch = response.path("patch").asText("");
            return object == null || patch.isEmpty()
                    ? Future.succeededFuture(object)
                    : apply(match, attributes, object, patch);
        });
    }

    private static Future<@Nullable ObjectNode> apply(
            Match match, AdmissionAttributes attributes, ObjectNode object, String patch) {
        Resource own = attributes.target().resource();
        return converted(own, match.resource(), object)
                .map(seen -> patched(match, attributes, seen, patch))
                .compose(changed -> converted(match.resource(), own, changed))
                .map(changed -> decoded(own, changed));
    }

    /** What does not fit the kind any more is not the client's fault. */
    private static ObjectNode decoded(Resource resource, ObjectNode changed) {
        try {
            return resource.rules().decode(changed.deepCopy());
        } catch (StatusException unfit) {
            String message = String.valueOf(unfit.getMessage());
            String prefix = " cannot be handled as a " + resource.type().kind() + ": ";
            int start = message.indexOf(prefix);
            throw start < 0 ? unfit : StatusException.internal(message.substring(start + prefix.length()));
        }
    }

    private static ObjectNode patched(Match match, AdmissionAttributes attributes, ObjectNode object, String patch) {
        try {
            JsonNode operations = JSON.readTree(Base64.getDecoder().decode(patch.getBytes(StandardCharsets.US_ASCII)));
            if (JsonPatch.apply(object, operations) instanceof ObjectNode changed) {
                checkKind(attributes.target().resource(), object, changed);
                return changed;
            }
            throw StatusException.internal(
                    "the patched object of webhook \"" + match.webhook().name() + "\" is no object");
        } catch (PatchException e) {
            throw StatusException.internal(e.why());
        } catch (IOException | IllegalArgumentException e) {
            throw StatusException.internal(String.valueOf(e.getMessage()));
        }
    }

    /** A custom resource of another kind is refused later, as any that is invalid. */
    private static void checkKind(Resource resource, ObjectNode object, ObjectNode changed) {
        for (String field : List.of("kind", "apiVersion")) {
            if (changed.path(field).asText("").isEmpty()) {
                changed.set(field, object.get(field));
            }
        }
        String version = changed.path("apiVersion").asText();
        String kind = changed.path("kind").asText();
        boolean same = changed.path("kind").equals(object.path("kind"))
                && changed.path("apiVersion").equals(object.path("apiVersion"));
        if (!same && resource.custom() == null) {
            String own = object.path("kind").asText();
            throw new StatusException(
                    500,
                    "",
                    GoText.unconvertible(
                            version, kind, object.path("apiVersion").asText(), own),
                    null);
        }
    }

    /**
     * The response of a webhook that allows; an empty one of a webhook that failed and may, or is not called under
     * these conditions. Else a failure with the refusal.
     */
    private Future<JsonNode> review(Match match, AdmissionAttributes attributes, @Nullable ObjectNode object) {
        Webhook webhook = match.webhook();
        Resource own = attributes.target().resource();
        return converted(own, match.resource(), object)
                .compose(seen -> converted(own, match.resource(), attributes.before())
                        .compose(before -> {
                            ObjectNode review = Reviews.review(
                                    webhook, Reviews.request(attributes, match.resource(), seen, before));
                            return isMeant(webhook, attributes, review, seen, before)
                                    ? ask(webhook, attributes, review)
                                    : Future.succeededFuture(JSON.createObjectNode());
                        }));
    }

    /** @throws StatusException 403 when a condition fails, and failures are not ignored */
    private boolean isMeant(
            Webhook webhook,
            AdmissionAttributes attributes,
            ObjectNode review,
            @Nullable ObjectNode object,
            @Nullable ObjectNode before) {
        if (webhook.conditions().isEmpty()) {
            return true;
        }
        MatchConditions.Verdict verdict =
                webhook.conditions().judge(inputs.of(attributes, review.path("request"), object, before, null));
        if (verdict.errors().isEmpty() || webhook.ignoresFailures()) {
            return verdict.matches() && verdict.errors().isEmpty();
        }
        throw StatusException.forbidden(
                attributes.target().resource().named(), attributes.target().name(), verdict.error());
    }

    private Future<JsonNode> ask(Webhook webhook, AdmissionAttributes attributes, ObjectNode review) {
        if (attributes.options().dryRun() && !webhook.dryRunnable()) {
            return Future.failedFuture(StatusException.badRequest(
                    "admission webhook \"" + webhook.name() + "\" does not support dry run"));
        }
        return client.call(webhook.name(), webhook.clientConfig(), webhook.timeout(), review)
                .recover(failure -> Future.failedFuture(uncalled(String.valueOf(failure.getMessage()))))
                .compose(answer -> judged(webhook, attributes, review, answer))
                .recover(failure ->
                        failure instanceof StatusException ? Future.failedFuture(failure) : failed(webhook, failure));
    }

    private IOException uncalled(String why) {
        return new IOException((worded ? "failed to call webhook: " : "") + why);
    }

    private Future<JsonNode> judged(
            Webhook webhook, AdmissionAttributes attributes, ObjectNode review, JsonNode answer) {
        if (Reviews.isOfOtherVersion(review, answer)) {
            String given = answer.path("apiVersion").asText();
            String sent = review.path("apiVersion").asText();
            return Future.failedFuture(uncalled("converting (" + GoText.version(given) + ".AdmissionReview) to ("
                    + GoText.version(sent) + ".AdmissionReview): unknown conversion"));
        }
        String flaw = Reviews.flaw(webhook, review, answer);
        if (!flaw.isEmpty()) {
            return Future.failedFuture(new IOException((worded ? "received invalid webhook response: " : "") + flaw));
        }
        JsonNode response = answer.path("response");
        response.path("warnings")
                .forEach(warning -> attributes.options().warnings().accept(warning.asText()));
        return response.path("allowed").asBoolean()
                ? Future.succeededFuture(response)
                : Future.failedFuture(refusal(webhook, response.path("status")));
    }

    private static Future<JsonNode> failed(Webhook webhook, Throwable failure) {
        String message = "failed calling webhook \"" + webhook.name() + "\": " + failure.getMessage();
        if (!webhook.ignoresFailures()) {
            return Future.failedFuture(StatusException.internal(message));
        }
        log.atWarn()
                .addKeyValue("webhook", webhook.name())
                .log("a webhook failed and is ignored: {}", failure.getMessage());
        return Future.succeededFuture(JSON.createObjectNode());
    }

    /** The rules of apiserver's {@code ToStatusErr}. */
    private static StatusException refusal(Webhook webhook, JsonNode status) {
        String denied = "admission webhook \"" + webhook.name() + "\" denied the request";
        String message = status.path("message").asText("");
        String reason = status.path("reason").asText("");
        int code = status.path("code").asInt(0);
        String text = message.isEmpty() ? reason : message;
        return new StatusException(
                code < 400 || code > MOST_REJECTION_CODE ? 400 : code,
                reason,
                text.isEmpty() ? denied + " without explanation" : denied + ": " + text,
                status.path("details") instanceof ObjectNode details ? details : null);
    }

    private static Future<ObjectNode> converted(Resource from, Resource to, @Nullable ObjectNode object) {
        return object == null || from.type().equals(to.type())
                ? Future.succeededFuture(object)
                : to.conversion().toServed(object, from.conversion());
    }
}

package io.busbar.sandbox.policy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.admission.AdmissionAttributes;
import io.busbar.sandbox.admission.ExpressionInputs;
import io.busbar.sandbox.admission.Matching;
import io.busbar.sandbox.admission.Mutator;
import io.busbar.sandbox.admission.Reviews;
import io.busbar.sandbox.admission.Turn;
import io.busbar.sandbox.cel.AdmissionInput;
import io.busbar.sandbox.policy.Parameters.MisconfiguredException;
import io.busbar.sandbox.policy.Policy.Binding;
import io.busbar.sandbox.resource.Catalog;
import io.busbar.sandbox.resource.Resource;
import io.busbar.sandbox.status.StatusException;
import io.busbar.sandbox.storage.MemoryStore;
import io.busbar.sandbox.storage.Metadata;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The policies' say in a write: first they change the object, one after the other, then they refuse it.
 *
 * <p>One context.
 */
public final class PolicyChain implements Mutator {

    private final MemoryStore store;
    private final Catalog catalog;
    private final ExpressionInputs inputs;
    private final Parameters parameters;
    private final Registry mutating;
    private final Registry validating;

    public PolicyChain(MemoryStore store, Catalog catalog, ExpressionInputs inputs) {
        this.store = store;
        this.catalog = catalog;
        this.inputs = inputs;
        this.parameters = new Parameters(store, catalog);
        this.mutating = new Registry(store, "mutatingadmissionpolicies");
        this.validating = new Registry(store, "validatingadmissionpolicies");
    }

    @Override
    public Future<@Nullable ObjectNode> mutate(AdmissionAttributes attributes, @Nullable ObjectNode object, Turn turn) {
        List<Policy> policies = of(mutating, attributes);
        if (object == null || policies.isEmpty()) {
            return Future.succeededFuture(object);
        }
        List<Refusal> refusals = new ArrayList<>();
        Patching patching = new Patching(attributes.target().resource(), object, refusals, turn);
        Future<Void> asked = Future.succeededFuture();
        for (Policy policy : policies) {
            asked = asked.compose(before -> each(
                    policy,
                    attributes,
                    patching::object,
                    refusals,
                    (binding, sight) -> patching.change(policy, binding, sight)));
        }
        return asked.compose(all -> {
            if (patching.isDone()) {
                turn.change();
            }
            return refusals.isEmpty()
                    ? Future.succeededFuture(patching.object())
                    : Future.failedFuture(Refusal.denied(refusals, attributes, object));
        });
    }

    @Override
    public Future<Void> validate(AdmissionAttributes attributes, @Nullable ObjectNode object) {
        List<Refusal> refusals = new ArrayList<>();
        Future<Void> asked = Future.succeededFuture();
        for (Policy policy : of(validating, attributes)) {
            Validator validator = new Validator(policy, attributes);
            asked = asked.compose(before -> each(policy, attributes, () -> object, refusals, (binding, sight) -> {
                refusals.addAll(validator.refusals(binding, sight));
                return Future.succeededFuture();
            }));
        }
        return asked.compose(all -> refusals.isEmpty()
                ? Future.succeededFuture()
                : Future.failedFuture(refusals.get(0).denied(attributes, object)));
    }

    private static List<Policy> of(Registry registry, AdmissionAttributes attributes) {
        return Registry.isPolicy(attributes.target().resource().storage()) ? List.of() : registry.policies();
    }

    /**
     * What one policy sees of a write, by one of its bindings, with one of its parameters.
     *
     * @param resource the version of the object
     * @param params by which its parameter is known; empty for none
     * @param inputs what expressions see, by the object as it is
     */
    record Sight(
            Resource resource,
            @Nullable ObjectNode object,
            String params,
            Function<@Nullable ObjectNode, AdmissionInput> inputs) {

        AdmissionInput input() {
            return inputs.apply(object);
        }
    }

    /** Asks a policy by one of its bindings. */
    @FunctionalInterface
    private interface Ask {

        Future<Void> ask(Binding binding, Sight sight);
    }

    /**
     * Asks a policy once for each of its bindings and parameters.
     *
     * @param object as it is when it is asked for
     * @param refusals to which those are added that come of a policy that cannot be asked
     */
    private Future<Void> each(
            Policy policy,
            AdmissionAttributes attributes,
            Supplier<@Nullable ObjectNode> object,
            List<Refusal> refusals,
            Ask ask) {
        Optional<Resource> seen = policy.matching().match(attributes, object.get(), store, catalog);
        if (seen.isEmpty()) {
            return Future.succeededFuture();
        }
        String broken = policy.paramKind().isObject()
                        && parameters.kind(policy.paramKind()).isEmpty()
                ? "failed to find resource referenced by paramKind: '" + shown(policy.paramKind()) + "'"
                : policy.broken();
        if (!broken.isEmpty()) {
            fail(refusals, policy, null, "failed to configure policy: " + broken);
            return Future.succeededFuture();
        }
        Future<Void> done = Future.succeededFuture();
        for (Binding binding : policy.bindings()) {
            Matching narrower = binding.matching();
            if (narrower == null
                    || narrower.match(attributes, object.get(), store, catalog).isPresent()) {
                done = done.compose(before -> by(binding, policy, attributes, seen.get(), object, ask)
                        .recover(failure -> {
                            if (!(failure instanceof MisconfiguredException)) {
                                return Future.failedFuture(failure);
                            }
                            fail(refusals, policy, binding, "failed to configure binding: " + failure.getMessage());
                            return Future.succeededFuture();
                        }));
            }
        }
        return done;
    }

    private Future<Void> by(
            Binding binding,
            Policy policy,
            AdmissionAttributes attributes,
            Resource resource,
            Supplier<@Nullable ObjectNode> object,
            Ask ask) {
        return parameters
                .find(policy, binding.paramRef(), attributes.target().namespace())
                .compose(found -> converted(attributes, resource, attributes.before())
                        .compose(before -> {
                            Future<Void> done = Future.succeededFuture();
                            for (JsonNode params : found) {
                                done = done.compose(asked -> converted(attributes, resource, object.get()))
                                        .compose(current -> ask.ask(
                                                binding,
                                                new Sight(
                                                        resource,
                                                        current,
                                                        params.at("/metadata/uid")
                                                                .asText(),
                                                        now -> inputs.of(
                                                                attributes,
                                                                Reviews.request(attributes, resource, null, null),
                                                                now,
                                                                before,
                                                                params))));
                            }
                            return done;
                        }));
    }

    private static String shown(JsonNode paramKind) {
        String apiVersion = paramKind.path("apiVersion").asText();
        return (apiVersion.contains("/") ? "" : "/") + apiVersion + ", Kind="
                + paramKind.path("kind").asText();
    }

    private static void fail(List<Refusal> refusals, Policy policy, @Nullable Binding binding, String message) {
        if (!policy.ignoresFailures()) {
            refusals.add(new Refusal(policy, binding, "", message));
        }
    }

    private static Future<@Nullable ObjectNode> converted(
            AdmissionAttributes attributes, Resource to, @Nullable ObjectNode object) {
        Resource from = attributes.target().resource();
        if (object == null || from.type().equals(to.type())) {
            return Future.succeededFuture(object);
        }
        return to.conversion().toServed(object, from.conversion()).map(converted -> converted);
    }

    /** The failure that a refusal of several kinds of parts is. */
    static StatusException forbidden(AdmissionAttributes attributes, @Nullable ObjectNode object, String why) {
        String name = attributes.target().name();
        String shown = name.isEmpty() && object != null ? Metadata.of(object).name() : name;
        return StatusException.forbidden(attributes.target().resource().named(), shown, why);
    }
}

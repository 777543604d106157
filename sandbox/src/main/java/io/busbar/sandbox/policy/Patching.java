package io.busbar.sandbox.policy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.admission.Turn;
import io.busbar.sandbox.apply.Configurations;
import io.busbar.sandbox.cel.AdmissionExpression;
import io.busbar.sandbox.cel.MatchConditions;
import io.busbar.sandbox.patch.JsonPatch;
import io.busbar.sandbox.patch.PatchException;
import io.busbar.sandbox.policy.Policy.Binding;
import io.busbar.sandbox.policy.Policy.Mutation;
import io.busbar.sandbox.policy.PolicyChain.Sight;
import io.busbar.sandbox.resource.Resource;
import io.vertx.core.Future;
import java.util.List;

/**
 * An object that policies change, each what those before it have left.
 *
 * <p>One context, for one write.
 */
final class Patching {

    private static final String INVALID = "Invalid";

    /** A change that cannot be made. */
    private static final class UnfitException extends RuntimeException {

        private static final long serialVersionUID = 1;

        UnfitException(String message) {
            super(message, null, false, false);
        }
    }

    private final Resource own;
    private final List<Refusal> refusals;
    private final Turn turn;
    private ObjectNode object;
    private boolean done;

    /**
     * @param own the version of the object
     * @param refusals gets why a policy could not change it
     * @param turn is told whom to ask again
     */
    Patching(Resource own, ObjectNode object, List<Refusal> refusals, Turn turn) {
        this.own = own;
        this.object = object;
        this.refusals = refusals;
        this.turn = turn;
    }

    ObjectNode object() {
        return object;
    }

    /** Whether any policy had a say. */
    boolean isDone() {
        return done;
    }

    Future<Void> change(Policy policy, Binding binding, Sight sight) {
        ObjectNode current = sight.object();
        MatchConditions.Verdict verdict = policy.conditions().judge(sight.input());
        fail(policy, binding, verdict.error());
        String who = policy.name() + "/" + binding.name() + "/" + sight.params();
        if (current == null || !verdict.matches() || !verdict.errors().isEmpty() || turn.passes(who)) {
            return Future.succeededFuture();
        }
        if (policy.reinvoked()) {
            turn.asked(who);
        }
        done = true;
        for (Mutation mutation : policy.mutations()) {
            AdmissionExpression.Result made =
                    mutation.expression().evaluate(sight.inputs().apply(current));
            try {
                current = made.error().isEmpty() ? changed(sight.resource(), current, mutation, made) : current;
                fail(policy, binding, made.error());
            } catch (UnfitException e) {
                fail(policy, binding, String.valueOf(e.getMessage()));
            }
        }
        Future<ObjectNode> back = sight.resource().type().equals(own.type())
                ? Future.succeededFuture(current)
                : own.conversion().toServed(current, sight.resource().conversion());
        return back.map(mine -> {
            object = mine;
            return null;
        });
    }

    private void fail(Policy policy, Binding binding, String error) {
        if (!error.isEmpty() && !policy.ignoresFailures()) {
            refusals.add(new Refusal(policy, binding, INVALID, error));
        }
    }

    private static ObjectNode changed(
            Resource resource, ObjectNode current, Mutation mutation, AdmissionExpression.Result made) {
        if (!made.typeFlaw().isEmpty()) {
            throw new UnfitException("type mismatch: " + made.typeFlaw());
        }
        ObjectNode after = mutation.patch() ? patched(current, made.json()) : applied(resource, current, made.json());
        return resource.rules().decode(after.deepCopy());
    }

    private static ObjectNode applied(Resource resource, ObjectNode current, JsonNode made) {
        ObjectNode config = JsonNodeFactory.instance.objectNode();
        config.setAll((ObjectNode) made);
        config.put("apiVersion", resource.type().apiVersion())
                .put("kind", resource.type().kind());
        List<String> unknown = resource.rules().unknownFields(config);
        String error = "error applying patch: ";
        if (!unknown.isEmpty()) {
            throw new UnfitException(error + "failed to convert patch object to typed object: ." + unknown.get(0)
                    + ": field not declared in schema");
        }
        List<String> atomics = Configurations.atomics(config, resource.rules().lists());
        if (!atomics.isEmpty()) {
            throw new UnfitException(
                    error + "invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: "
                            + String.join(", ", atomics));
        }
        try {
            return Configurations.merge(current, config, resource.rules().lists());
        } catch (PatchException e) {
            throw new UnfitException(error + "failed to merge patch: " + e.getMessage());
        }
    }

    /** Nothing is changed when a test among the operations fails. */
    private static ObjectNode patched(ObjectNode current, JsonNode operations) {
        JsonNode document = current;
        for (JsonNode operation : operations) {
            try {
                document = JsonPatch.apply(
                        document, JsonNodeFactory.instance.arrayNode().add(operation));
            } catch (PatchException e) {
                if (operation.path("op").asText().equals("test")) {
                    return current;
                }
                throw new UnfitException("JSONPath: " + e.why());
            }
        }
        if (document instanceof ObjectNode object) {
            return object;
        }
        throw new UnfitException("JSONPath: the patched object is no object");
    }
}

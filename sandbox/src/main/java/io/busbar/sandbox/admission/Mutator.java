package io.busbar.sandbox.admission;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Those of one sort who may change objects, and refuse them: webhooks, policies. One context.
 */
public interface Mutator extends AdmissionChain {

    @Override
    default Future<@Nullable ObjectNode> mutate(AdmissionAttributes attributes, @Nullable ObjectNode object) {
        return ask(List.of(this), attributes, object);
    }

    /**
     * Asks those whose turn it is, each about what the one before left.
     *
     * @param object null for a deletion
     */
    Future<@Nullable ObjectNode> mutate(AdmissionAttributes attributes, @Nullable ObjectNode object, Turn turn);

    /** Asks all in order; then again those that want to know what others have changed since. */
    static Future<@Nullable ObjectNode> ask(
            List<? extends Mutator> mutators, AdmissionAttributes attributes, @Nullable ObjectNode object) {
        List<Turn> turns = new ArrayList<>();
        mutators.forEach(mutator -> turns.add(new Turn()));
        return round(mutators, turns, attributes, object)
                .compose(after -> turns.stream().anyMatch(Turn::changed)
                        ? round(mutators, turns, attributes, after)
                        : Future.succeededFuture(after));
    }

    private static Future<@Nullable ObjectNode> round(
            List<? extends Mutator> mutators,
            List<Turn> turns,
            AdmissionAttributes attributes,
            @Nullable ObjectNode object) {
        Future<@Nullable ObjectNode> state = Future.succeededFuture(object);
        for (int i = 0; i < turns.size(); i++) {
            Mutator mutator = mutators.get(i);
            Turn turn = turns.get(i);
            state = state.compose(current -> {
                turn.begin(current);
                return mutator.mutate(attributes, current, turn).onSuccess(turn::end);
            });
        }
        return state;
    }
}

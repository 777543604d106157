package io.busbar.sandbox.admission;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All who have a say in a write, in their order: the server's own plugins, policies, webhooks, and last the plugin that
 * counts what is written.
 *
 * <p>One context.
 *
 * @param first in order
 * @param others asked after them
 */
public record Plugins(List<Plugin> first, List<Mutator> others, Plugin last) implements AdmissionChain {

    @Override
    public Future<@Nullable ObjectNode> mutate(AdmissionAttributes attributes, @Nullable ObjectNode object) {
        List<Mutator> all = new ArrayList<>();
        all.add(new Own(first));
        all.addAll(others);
        return Mutator.ask(all, attributes, object);
    }

    @Override
    public Future<Void> validate(AdmissionAttributes attributes, @Nullable ObjectNode object) {
        Future<Void> valid = new Own(first).validate(attributes, object);
        for (Mutator other : others) {
            valid = valid.compose(soFar -> other.validate(attributes, object));
        }
        return valid.compose(soFar -> new Own(List.of(last)).validate(attributes, object));
    }

    /** The plugins about one request. */
    private static final class Own implements Mutator {

        private final List<Plugin> plugins;
        private boolean again;

        Own(List<Plugin> plugins) {
            this.plugins = plugins;
        }

        /** In the second round others remember what they left: it must not change under them. */
        @Override
        public Future<@Nullable ObjectNode> mutate(
                AdmissionAttributes attributes, @Nullable ObjectNode object, Turn turn) {
            if (object == null) {
                return Future.succeededFuture();
            }
            ObjectNode changed = again ? object.deepCopy() : object;
            again = true;
            plugins.forEach(plugin -> plugin.mutate(attributes, changed));
            return Future.succeededFuture(changed);
        }

        @Override
        public Future<Void> validate(AdmissionAttributes attributes, @Nullable ObjectNode object) {
            if (object != null) {
                plugins.forEach(plugin -> plugin.validate(attributes, object));
            }
            return Future.succeededFuture();
        }
    }
}

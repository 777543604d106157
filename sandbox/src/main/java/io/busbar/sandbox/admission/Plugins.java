package io.busbar.sandbox.admission;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The server's own plugins around those who are asked over HTTP or by expressions: the first ones come before, the last one, which
 * counts what is written, after all others.
 *
 * <p>One context.
 *
 * @param first in order
 * @param others called between
 */
public record Plugins(List<Plugin> first, AdmissionChain others, Plugin last) implements AdmissionChain {

    @SuppressWarnings("ReferenceEquality") // Where nobody has changed anything.
    @Override
    public Future<@Nullable ObjectNode> mutate(AdmissionAttributes attributes, @Nullable ObjectNode object) {
        run(attributes, object);
        return others.mutate(attributes, object).map(after -> {
            if (after != object) {
                run(attributes, after);
            }
            return after;
        });
    }

    private void run(AdmissionAttributes attributes, @Nullable ObjectNode object) {
        if (object != null) {
            first.forEach(plugin -> plugin.mutate(attributes, object));
        }
    }

    @Override
    public Future<Void> validate(AdmissionAttributes attributes, @Nullable ObjectNode object) {
        if (object == null) {
            return others.validate(attributes, null);
        }
        first.forEach(plugin -> plugin.validate(attributes, object));
        return others.validate(attributes, object).map(valid -> {
            last.validate(attributes, object);
            return valid;
        });
    }
}

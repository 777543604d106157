package io.busbar.blueprint.run;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.common.hash.Hashing;
import io.busbar.blueprint.check.CheckedBlueprint;
import io.busbar.blueprint.schema.InstanceSchema;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What a Blueprint is, or was. Immutable.
 *
 * @param name that of its ControllerRevision, or one by its content: one that is the same again has the same name; empty
 *     where nothing is told apart
 */
public record Revision(String name, CheckedBlueprint blueprint) {

    private static final int DIGITS = 16;

    /** Named by what is written, but for how that is rolled out. */
    public static Revision named(CheckedBlueprint checked) {
        ObjectNode spec = (ObjectNode) checked.blueprint().node().json();
        spec.remove("rollout");
        String hash = Hashing.sha256()
                .hashString(spec.toString(), StandardCharsets.UTF_8)
                .toString();
        return new Revision(checked.blueprint().name() + "-" + hash.substring(0, DIGITS), checked);
    }

    /**
     * Whether an instance has an earlier one that says to have the one of this name: one that says none is new, and
     * gets this at once.
     */
    boolean isAfter(String had) {
        return !had.isEmpty() && !had.equals(name);
    }

    /** Whether instances may still have it while the newest is another one, which makes and reads all kinds that it does. */
    public boolean mayGoOnBeside(Revision newest) {
        InstanceSchema now = newest.blueprint().blueprint().schema();
        InstanceSchema then = blueprint.blueprint().schema();
        return then.plural().equals(now.plural())
                && then.group().equals(now.group())
                && newest.kinds().containsAll(kinds());
    }

    private Set<String> kinds() {
        return blueprint.resources().stream()
                .map(resource -> (resource.resource().external() ? "reads " : "makes ") + resource.served())
                .collect(Collectors.toSet());
    }
}

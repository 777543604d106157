package io.busbar.scaffold.project;

import java.util.List;

/**
 * The webhooks of one version of a kind.
 *
 * <p>Immutable.
 *
 * @param conversion whether this version is the hub that others are converted from and to
 * @param spokes those other versions
 */
public record Webhooks(boolean defaulting, boolean validation, boolean conversion, List<String> spokes) {

    public Webhooks {
        spokes = List.copyOf(spokes);
    }

    public static Webhooks none() {
        return new Webhooks(false, false, false, List.of());
    }

    public boolean isEmpty() {
        return !defaulting && !validation && !conversion;
    }
}

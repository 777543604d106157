package io.busbar.charts.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.charts.instance.ChartInstance;
import io.busbar.charts.render.Rendering;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Takes away what is rendered no more. Hooks stay, as Helm has it, and so does what is to be kept.
 *
 * <p>Kinds that the chart has no object of any more, and that are watched no more for that, are known by the status, and
 * listed once. Where the operator may not list them that is told, and tried again: it must not be in the way of all else.
 *
 * <p>For the thread of one reconcile.
 */
final class Pruning<P extends ChartInstance> {

    private final Turn<P> turn;
    private final List<ObjectNode> objects;
    private final Set<String> desired;

    /** @param objects that are to be there, placed */
    Pruning(Turn<P> turn, List<ObjectNode> objects) {
        this.turn = turn;
        this.objects = objects;
        this.desired = objects.stream()
                .map(object -> Rendering.withoutVersion(Rendering.identity(object)))
                .collect(Collectors.toSet());
    }

    /** Before any of them is there. */
    void note() {
        Set<String> loose = new LinkedHashSet<>(turn.objects().noted(objects));
        Set<String> kinds = new LinkedHashSet<>(turn.objects().kinds(objects));
        loose.addAll(turn.status().objects());
        kinds.addAll(turn.status().kinds());
        save(List.copyOf(loose), List.copyOf(kinds));
    }

    /**
     * Once all of them are there. The last of an order goes first.
     *
     * @return kinds of which something may be left, as the operator may not list them
     */
    List<String> prune() {
        List<String> hidden = new ArrayList<>();
        List<JsonNode> owned = new ArrayList<>(turn.objects().owned());
        turn.status().kinds().stream()
                .filter(kind -> !turn.objects().isWatched(kind))
                .forEach(kind -> owned.addAll(formerly(kind, hidden)));
        owned.stream()
                .filter(object -> !isDesired(Rendering.identity(object))
                        && !isHook(object)
                        && !InstanceObjects.isKept(object))
                .forEach(turn.objects()::delete);
        turn.status().objects().stream()
                .filter(identity -> !isDesired(identity))
                .forEach(turn.objects()::deleteNoted);
        save(
                turn.objects().noted(objects),
                Stream.concat(turn.objects().kinds(objects).stream(), hidden.stream())
                        .toList());
        return hidden;
    }

    /** Where some of a kind are rendered, what is there of it is noted one by one. */
    private List<JsonNode> formerly(String kind, List<String> hidden) {
        try {
            return turn.objects().ownedOf(kind);
        } catch (KubernetesClientException refused) {
            if (refused.getCode() != HttpURLConnection.HTTP_FORBIDDEN) {
                throw refused;
            }
            if (objects.stream().map(InstanceObjects::kind).noneMatch(kind::equals)) {
                hidden.add(kind);
            }
            return List.of();
        }
    }

    private boolean isDesired(String identity) {
        return desired.contains(Rendering.withoutVersion(identity));
    }

    private void save(List<String> loose, List<String> kinds) {
        boolean isNew = !Set.copyOf(loose).equals(Set.copyOf(turn.status().objects()))
                || !Set.copyOf(kinds).equals(Set.copyOf(turn.status().kinds()));
        if (isNew) {
            turn.save(turn.status().withObjects(loose, kinds));
        }
    }

    static boolean isHook(JsonNode object) {
        return object.path("metadata").path("annotations").has(Marks.RUN.name());
    }
}

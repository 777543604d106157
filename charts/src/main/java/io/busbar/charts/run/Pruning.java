package io.busbar.charts.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.charts.instance.ChartInstance;
import io.busbar.charts.render.Rendering;
import io.busbar.common.api.ApiFailure;
import io.busbar.common.api.FirstRefusal;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Takes away what is rendered no more. Hooks stay, as Helm has it, and so does what is to be kept, and what the chart
 * makes only where lookup does not find it: it would be made anew each time that it has gone.
 *
 * <p>Kinds that the chart has no object of any more, and that are watched no more for that, are known by the status,
 * and listed. Where the operator may not list them, or not get or delete an object, that is told, and tried again: the
 * role of a new chart need not allow what the one before did, and it must not be in the way of all else.
 *
 * <p>For the thread of one reconcile.
 */
final class Pruning<P extends ChartInstance> {

    /** In the words that the API server has for each authorizer. Source: {@code responsewriters.forbiddenMessage}. */
    private static final Pattern LACKING =
            Pattern.compile("^(\\S+( \"[^\"]*\")? is )?forbidden: User \"[^\"]*\" cannot [a-z]+ resource \"");

    private final Turn<P> turn;
    private final Lately lately;
    private final List<ObjectNode> objects;
    private final Set<String> desired;
    private final Set<String> madeOnce;
    /** Kinds of some that may be left. */
    private final Set<String> hidden = new TreeSet<>();
    /** Identities of some that are left. */
    private final List<String> refused = new ArrayList<>();

    private final FirstRefusal denied = new FirstRefusal();

    /**
     * @param lately takes the requests for which a right is lacking
     * @param objects that are to be there, placed
     * @param madeOnce identities of those that are not rendered because they are there
     */
    Pruning(Turn<P> turn, Lately lately, List<ObjectNode> objects, Set<String> madeOnce) {
        this.turn = turn;
        this.lately = lately;
        this.objects = objects;
        this.desired = objects.stream()
                .map(object -> Rendering.withoutVersion(Rendering.identity(object)))
                .collect(Collectors.toSet());
        this.madeOnce = madeOnce.stream()
                .map(turn.objects()::placed)
                .map(Rendering::withoutVersion)
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
     * Once all of them are there.
     *
     * @return what stays, and why: clauses for people
     * @throws KubernetesClientException the first refusal for another reason than the lack of a right; after all else
     *     has gone
     */
    List<String> prune() {
        List<JsonNode> owned = new ArrayList<>(turn.objects().owned());
        turn.status().kinds().stream()
                .filter(kind -> !turn.objects().isWatched(kind))
                .forEach(kind -> owned.addAll(formerly(kind)));
        Set<String> once = new TreeSet<>();
        owned.stream()
                .filter(object -> !isHook(object) && !InstanceObjects.isKept(object))
                .filter(object -> isToGo(Rendering.identity(object), once))
                .filter(object -> !isAllowed(
                        Rendering.identity(object), () -> turn.objects().delete(object)))
                .forEach(object -> hidden.add(InstanceObjects.kind(object)));
        List<String> loose = new ArrayList<>(turn.objects().noted(objects));
        for (String identity : turn.status().objects()) {
            if (isToGo(identity, once)) {
                if (!isAllowed(identity, () -> turn.objects().live().deleteNoted(identity))) {
                    refused.add(identity);
                }
            } else if (once.contains(identity)) {
                loose.add(identity);
            }
        }
        loose.addAll(refused);
        save(
                loose,
                Stream.concat(turn.objects().kinds(objects).stream(), hidden.stream())
                        .distinct()
                        .toList());
        denied.throwFirst();
        return left(once);
    }

    private List<String> left(Set<String> once) {
        List<String> left = new ArrayList<>();
        once.forEach(
                identity -> left.add(name(identity) + " stays: the chart makes it only where lookup does not find it"));
        refused.forEach(identity -> left.add(
                name(identity) + ", which the chart makes no more, stays until the operator may get and delete it"));
        if (!hidden.isEmpty()) {
            left.add("what the chart has made of " + String.join(", ", hidden)
                    + ", and makes no more, stays until the operator may list and delete it");
        }
        return left;
    }

    /** Whether something may be left that the operator may not list, get or delete. */
    boolean isHindered() {
        return !hidden.isEmpty() || !refused.isEmpty();
    }

    /**
     * Does that where the operator has the right to.
     *
     * @throws KubernetesClientException where the API server refuses it for another reason
     */
    static boolean isAllowed(Runnable request) {
        try {
            request.run();
            return true;
        } catch (KubernetesClientException refusal) {
            if (!isForWantOfRight(refusal)) {
                throw refusal;
            }
            return false;
        }
    }

    /** The same, unless the right was lacking a moment ago. What is refused for another reason is told in the end. */
    private boolean isAllowed(String what, Runnable request) {
        String uid = turn.objects().uid();
        if (lately.has(uid, turn.generation(), what)) {
            return false;
        }
        return denied.attempt(() -> {
            boolean isAllowed = isAllowed(request);
            if (!isAllowed) {
                lately.note(uid, turn.generation(), what);
            }
            return isAllowed;
        });
    }

    /** What a webhook or a policy denies has the same code: the right is there, and somebody has an objection. */
    private static boolean isForWantOfRight(KubernetesClientException refusal) {
        return refusal.getCode() == HttpURLConnection.HTTP_FORBIDDEN
                && LACKING.matcher(ApiFailure.reason(refusal)).find();
    }

    /** @param once takes those that stay */
    private boolean isToGo(String identity, Set<String> once) {
        String object = Rendering.withoutVersion(identity);
        if (!desired.contains(object) && madeOnce.contains(object)) {
            once.add(identity);
        }
        return !desired.contains(object) && !madeOnce.contains(object);
    }

    /** Kind and name. */
    private static String name(String identity) {
        return identity.split(" ", 3)[1]
                + identity.substring(identity.lastIndexOf('/')).replace('/', ' ');
    }

    /** Where some of a kind are rendered, what is there of it is noted one by one. */
    private List<JsonNode> formerly(String kind) {
        List<JsonNode> found = new ArrayList<>();
        if (!isAllowed(kind, () -> found.addAll(turn.objects().live().ownedOf(kind)))
                && objects.stream().map(InstanceObjects::kind).noneMatch(kind::equals)) {
            hidden.add(kind);
        }
        return found;
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

package io.busbar.charts.instance;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.busbar.common.condition.HasConditions;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What has become of an instance. Immutable, but for the fabric8 models within.
 *
 * @param conditions Ready
 * @param observedGeneration the generation that the status is for
 * @param revision a hash of what was rendered and applied last, whole
 * @param inputs a hash of the spec, the chart and the cluster's version that were applied last, or whose hooks were
 *     begun last
 * @param release how many revisions were applied, as Helm counts them
 * @param hooks how far those of one revision have come
 * @param objects that are not watched, or cannot be owned: apiVersion, kind, namespace and name of each
 * @param kinds of the other objects, apiVersion and kind of each: where the next chart has none of such a kind, nothing
 *     else tells that there are some
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonIgnoreProperties(ignoreUnknown = true)
public record ChartStatus(
        List<Condition> conditions,
        long observedGeneration,
        @Nullable String revision,
        @Nullable String inputs,
        int release,
        @Nullable HookProgress hooks,
        List<String> objects,
        List<String> kinds)
        implements HasConditions {

    public ChartStatus {
        conditions = conditions == null ? List.of() : List.copyOf(conditions);
        objects = objects == null ? List.of() : List.copyOf(objects);
        kinds = kinds == null ? List.of() : List.copyOf(kinds);
    }

    /** Of an instance that nobody has looked at. */
    public static ChartStatus none() {
        return new ChartStatus(List.of(), 0, null, null, 0, null, List.of(), List.of());
    }

    /**
     * How far the hooks of a revision have come. Immutable.
     *
     * @param revision that they belong to; hooks of a deletion belong to all
     * @param done event, kind and name of each that has succeeded, and its namespace where it is not the instance's
     * @param failed of one that has failed and is gone
     */
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    @JsonIgnoreProperties(ignoreUnknown = true)
    public record HookProgress(
            String revision, List<String> done, @Nullable String failed) {

        public HookProgress {
            done = done == null ? List.of() : List.copyOf(done);
        }
    }

    /**
     * Those of a revision; where the status is about another one, none done but those of a deletion: what a chart comes
     * to may be something else once its objects go.
     */
    public HookProgress hooksOf(String wanted) {
        if (hooks == null) {
            return new HookProgress(wanted, List.of(), null);
        }
        if (hooks.revision().equals(wanted)) {
            return hooks;
        }
        List<String> ofDeletion = hooks.done().stream()
                .filter(done -> done.startsWith("pre-delete ") || done.startsWith("post-delete "))
                .toList();
        return new HookProgress(wanted, ofDeletion, null);
    }

    /**
     * The run of hooks that a rendering belongs to, known by the revision with which it began: where only what is
     * looked up has changed since, which the hooks may have done themselves, it goes on until one fails.
     */
    public String run(String wanted, String of) {
        return hooks != null && revision == null && of.equals(inputs) ? hooks.revision() : wanted;
    }

    /** Whether all that may have changed since a revision was applied, whole, is what was looked up. */
    public boolean isApplied(String of) {
        return revision != null && of.equals(inputs);
    }

    /** Whether anything of it may be there. */
    public boolean hasBegun() {
        return release > 0 || hooks != null || !objects.isEmpty() || !kinds.isEmpty();
    }

    /** Of an instance whose release is there already, of which nothing else is known. */
    public ChartStatus takenOver() {
        return new ChartStatus(conditions, observedGeneration, revision, inputs, 1, hooks, objects, kinds);
    }

    /** Before the first hook of a revision: nothing counts as applied whole until that is. */
    public ChartStatus begun(String wanted, String of) {
        return new ChartStatus(
                conditions,
                observedGeneration,
                null,
                of,
                release,
                new HookProgress(wanted, List.of(), null),
                objects,
                kinds);
    }

    /** The same run of hooks, with other inputs that come to the same. */
    public ChartStatus goingOn(String of) {
        return new ChartStatus(conditions, observedGeneration, revision, of, release, hooks, objects, kinds);
    }

    public ChartStatus with(HookProgress progress) {
        return new ChartStatus(conditions, observedGeneration, revision, inputs, release, progress, objects, kinds);
    }

    /** With other objects, and other kinds of those that are not among them. */
    public ChartStatus withObjects(List<String> all, List<String> kindsOfOthers) {
        return new ChartStatus(conditions, observedGeneration, revision, inputs, release, hooks, all, kindsOfOthers);
    }

    public ChartStatus with(List<Condition> all, long generation) {
        return new ChartStatus(all, generation, revision, inputs, release, hooks, objects, kinds);
    }

    /** Where a revision is applied, whole; counts it where it is another than before. Hooks of others count no more. */
    public ChartStatus applied(String whole, String of) {
        return new ChartStatus(
                conditions,
                observedGeneration,
                whole,
                of,
                whole.equals(revision) ? release : release + 1,
                hooks != null && hooks.revision().equals(whole) ? hooks : null,
                objects,
                kinds);
    }
}

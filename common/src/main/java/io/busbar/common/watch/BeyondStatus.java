package io.busbar.common.watch;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.client.CustomResource;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Passes updates of more than the status. Immutable. */
final class BeyondStatus {

    private static final ObjectMapper JSON = new ObjectMapper();

    private BeyondStatus() {}

    static <T extends HasMetadata> ChangePredicate<T> of(Class<T> type, Set<String> ownFinalizers) {
        ChangePredicate<HasMetadata> metadata =
                change -> differs(change, (before, after) -> metadataDiffers(before, after, ownFinalizers));
        if (CustomResource.class.isAssignableFrom(type)) {
            return ChangePredicate.either(ChangePredicate.generationChanged(), ChangePredicate.ofMetadata(metadata));
        }
        return ChangePredicate.either(metadata, change -> differs(change, BeyondStatus::contentDiffers));
    }

    private interface Comparison {
        boolean differ(HasMetadata before, HasMetadata after);
    }

    private static boolean differs(Change<? extends HasMetadata> change, Comparison comparison) {
        HasMetadata before = change.before();
        HasMetadata after = change.after();
        return before == null || after == null || comparison.differ(before, after);
    }

    private static boolean metadataDiffers(HasMetadata before, HasMetadata after, Set<String> ownFinalizers) {
        ObjectMeta old = before.getMetadata();
        ObjectMeta now = after.getMetadata();
        return !Objects.equals(old.getDeletionTimestamp(), now.getDeletionTimestamp())
                || !orEmpty(old.getLabels()).equals(orEmpty(now.getLabels()))
                || !orEmpty(old.getAnnotations()).equals(orEmpty(now.getAnnotations()))
                || !Set.copyOf(orEmpty(old.getOwnerReferences())).equals(Set.copyOf(orEmpty(now.getOwnerReferences())))
                || finalizersDiffer(orEmpty(old.getFinalizers()), orEmpty(now.getFinalizers()), ownFinalizers);
    }

    /** One of one's own that somebody else takes away is another matter than one that was added. */
    private static boolean finalizersDiffer(Collection<String> old, Collection<String> now, Set<String> own) {
        Set<String> added = new HashSet<>(now);
        added.removeAll(old);
        return !own.containsAll(added) || !now.containsAll(old);
    }

    private static boolean contentDiffers(HasMetadata before, HasMetadata after) {
        return !content(before).equals(content(after));
    }

    /** But for the metadata, which is compared by itself. */
    private static ObjectNode content(HasMetadata object) {
        ObjectNode content = JSON.valueToTree(object);
        content.remove(List.of("status", "metadata"));
        return content;
    }

    private static <K, V> Map<K, V> orEmpty(@Nullable Map<K, V> map) {
        return map == null ? Map.of() : map;
    }

    private static <E> List<E> orEmpty(@Nullable List<E> list) {
        return list == null ? List.of() : list;
    }
}

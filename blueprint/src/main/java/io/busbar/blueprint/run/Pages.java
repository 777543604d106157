package io.busbar.blueprint.run;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.KubernetesResourceList;
import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Listable;
import java.net.HttpURLConnection;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Many objects, listed a page at a time: no more of them are held at once. Where they change too fast for pages, all
 * are on one, and those are looked at again that have been before. Any thread; blocks.
 */
public final class Pages {

    private static final long PAGE = 500;

    private Pages() {}

    /**
     * What was sought.
     *
     * @param first no more of it than were asked for
     * @param all how many there are
     */
    public record Found<R>(List<R> first, int all) {}

    /**
     * What is sought in each object of a kind.
     *
     * @param sought empty for what is not kept
     * @throws KubernetesClientException when they may not be listed
     */
    public static <T extends HasMetadata, R> List<R> find(
            Listable<? extends KubernetesResourceList<T>> kind, Function<T, Optional<R>> sought) {
        return find(kind, sought, Integer.MAX_VALUE).first();
    }

    /**
     * The same, of which no more is kept than is wanted.
     *
     * @throws KubernetesClientException when they may not be listed
     */
    public static <T extends HasMetadata, R> Found<R> find(
            Listable<? extends KubernetesResourceList<T>> kind, Function<T, Optional<R>> sought, int wanted) {
        Search<T, R> search = visit(kind, () -> new Search<>(sought, wanted));
        return new Found<>(List.copyOf(search.found), search.all);
    }

    /**
     * Shows each object of a kind.
     *
     * @param visitor tells whether it is to see more of them
     * @throws KubernetesClientException when they may not be listed
     */
    public static <T extends HasMetadata> void visit(
            Listable<? extends KubernetesResourceList<T>> kind, Predicate<T> visitor) {
        visit(kind, () -> visitor);
    }

    private static final class Search<T, R> implements Predicate<T> {

        private final Function<T, Optional<R>> sought;
        private final int wanted;
        private final List<R> found = new ArrayList<>();
        private int all;

        Search(Function<T, Optional<R>> sought, int wanted) {
            this.sought = sought;
            this.wanted = wanted;
        }

        @Override
        public boolean test(T item) {
            sought.apply(item).ifPresent(one -> {
                all++;
                if (found.size() < wanted) {
                    found.add(one);
                }
            });
            return true;
        }
    }

    /** @return the one that has seen all of them */
    private static <T extends HasMetadata, V extends Predicate<T>> V visit(
            Listable<? extends KubernetesResourceList<T>> kind, Supplier<V> visitors) {
        try {
            return visit(kind, visitors.get(), PAGE);
        } catch (KubernetesClientException refused) {
            if (refused.getCode() != HttpURLConnection.HTTP_GONE) {
                throw refused;
            }
            return visit(kind, visitors.get(), null); // what the next page goes on from was compacted
        }
    }

    /** @param limit of a page; null for all on one */
    private static <T extends HasMetadata, V extends Predicate<T>> V visit(
            Listable<? extends KubernetesResourceList<T>> kind, V visitor, @Nullable Long limit) {
        String next = "";
        do {
            KubernetesResourceList<T> page = kind.list(new ListOptionsBuilder()
                    .withLimit(limit)
                    .withContinue(next.isEmpty() ? null : next)
                    .build());
            if (!page.getItems().stream().allMatch(visitor)) {
                return visitor;
            }
            next = page.getMetadata() == null
                    ? ""
                    : Objects.requireNonNullElse(page.getMetadata().getContinue(), "");
        } while (!next.isEmpty());
        return visitor;
    }
}

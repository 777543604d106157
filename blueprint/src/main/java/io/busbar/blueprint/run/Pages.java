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
import org.jspecify.annotations.Nullable;

/** Many objects, listed a page at a time: no more of them are held at once. Any thread; blocks. */
public final class Pages {

    private static final long PAGE = 500;

    private Pages() {}

    /**
     * What is sought in each object of a kind. Where they change too fast for pages, all are on one.
     *
     * @param sought is asked again about some where the pages have to be given up; empty for what is not kept
     * @throws KubernetesClientException when they may not be listed
     */
    public static <T extends HasMetadata, R> List<R> find(
            Listable<? extends KubernetesResourceList<T>> kind, Function<T, Optional<R>> sought) {
        try {
            return find(kind, sought, PAGE);
        } catch (KubernetesClientException refused) {
            if (refused.getCode() != HttpURLConnection.HTTP_GONE) {
                throw refused;
            }
            return find(kind, sought, null); // what the next page goes on from was compacted
        }
    }

    /** @param limit of a page; null for all on one */
    private static <T extends HasMetadata, R> List<R> find(
            Listable<? extends KubernetesResourceList<T>> kind, Function<T, Optional<R>> sought, @Nullable Long limit) {
        List<R> found = new ArrayList<>();
        String next = "";
        do {
            KubernetesResourceList<T> page = kind.list(new ListOptionsBuilder()
                    .withLimit(limit)
                    .withContinue(next.isEmpty() ? null : next)
                    .build());
            page.getItems().forEach(item -> sought.apply(item).ifPresent(found::add));
            next = page.getMetadata() == null
                    ? ""
                    : Objects.requireNonNullElse(page.getMetadata().getContinue(), "");
        } while (!next.isEmpty());
        return found;
    }
}

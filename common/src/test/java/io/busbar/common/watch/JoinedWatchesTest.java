package io.busbar.common.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

class JoinedWatchesTest {

    private static final WatchSpec<Pod> PODS = WatchSpec.of(Pod.class);

    @Test
    void watches_that_keep_different_fields_become_one_that_keeps_them_all() {
        assertThat(joined(PODS.keeping("spec.nodeName"), PODS.keeping("status.phase", "metadata.labels")))
                .containsOnly(PODS.keeping("metadata.labels", "spec.nodeName", "status.phase"));
    }

    @Test
    void one_that_keeps_everything_serves_all() {
        assertThat(joined(PODS.keeping("spec.nodeName"), PODS, PODS.keeping("status")))
                .containsOnly(PODS);
    }

    @Test
    void watches_that_differ_in_more_stay_apart() {
        UnaryOperator<Pod> transform = pod -> pod;
        List<WatchSpec<?>> apart = List.of(
                PODS.keeping("spec"),
                PODS.withLabels("a=b").keeping("status"),
                PODS.transformedBy("same", transform).keeping("metadata.labels"),
                PODS.metadataOnlyWatch(),
                WatchSpec.of(ConfigMap.class).keeping("data"));

        assertThat(joined(apart.toArray(WatchSpec<?>[]::new))).isEqualTo(apart);
    }

    @Test
    void equal_declarations_are_one_whatever_lambdas_they_hold() {
        WatchSpec<Pod> one = PODS.transformedBy("without-volumes", pod -> pod);
        WatchSpec<Pod> other =
                PODS.transformedBy("without-volumes", pod -> pod.edit().build());

        assertThat(one).isEqualTo(other).hasSameHashCodeAs(other);
        assertThat(joined(one.keeping("spec"), other.keeping("status"))).containsOnly(one.keeping("spec", "status"));
    }

    @Test
    void a_late_request_is_joined_where_all_that_it_needs_is_kept() {
        JoinedWatches joined = JoinedWatches.of(List.of(request(PODS.keeping("spec", "status"))));

        assertThat(joined.join(request(PODS.keeping("status"))).spec()).isEqualTo(PODS.keeping("spec", "status"));
        for (WatchSpec<Pod> apart : List.of(PODS.keeping("status", "metadata.labels"), PODS)) {
            assertThat(joined.join(request(apart)).spec()).isEqualTo(apart);
        }
        JoinedWatches whole = JoinedWatches.of(List.of(request(PODS)));
        assertThat(whole.join(request(PODS.keeping("status"))).spec()).isEqualTo(PODS);
    }

    @Test
    void one_is_sharded_only_where_that_is_enough_for_all() {
        WatchSpec<Pod> sharded = PODS.keeping("spec").shardedWatch();

        assertThat(joined(sharded, PODS.keeping("status").shardedWatch()))
                .containsOnly(PODS.keeping("spec", "status").shardedWatch());
        assertThat(joined(sharded, PODS.keeping("status"))).containsOnly(PODS.keeping("spec", "status"));
        assertThat(JoinedWatches.of(List.of(request(sharded)))
                        .join(request(PODS.keeping("spec")))
                        .spec())
                .as("a late one that needs all")
                .isEqualTo(PODS.keeping("spec"));
        assertThat(JoinedWatches.of(List.of(request(PODS.keeping("spec"))))
                        .join(request(sharded))
                        .spec())
                .as("a late one that needs less than there is")
                .isEqualTo(PODS.keeping("spec"));
    }

    @Test
    void what_a_watch_is_wanted_for_stays() {
        WatchRequest<Pod> request =
                new WatchRequest<>(PODS.keeping("spec"), List.of(new Index<>("i", pod -> List.of())), List.of());
        JoinedWatches joined = JoinedWatches.of(List.of(request, request(PODS.keeping("status"))));

        assertThat(joined.join(request).indexes()).isEqualTo(request.indexes());
        assertThat(joined.join(request(WatchSpec.of(ConfigMap.class).keeping("data")))
                        .spec()
                        .fields())
                .containsExactly("data");
    }

    private static List<WatchSpec<?>> joined(WatchSpec<?>... specs) {
        List<WatchRequest<?>> requests = Arrays.stream(specs)
                .<WatchRequest<?>>map(JoinedWatchesTest::request)
                .toList();
        JoinedWatches joined = JoinedWatches.of(requests);
        return requests.stream()
                .<WatchSpec<?>>map(request -> joined.join(request).spec())
                .toList();
    }

    private static WatchRequest<?> request(WatchSpec<?> spec) {
        return WatchRequest.readOnly(spec, List.of());
    }
}

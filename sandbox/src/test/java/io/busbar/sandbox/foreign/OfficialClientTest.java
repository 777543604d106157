package io.busbar.sandbox.foreign;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.sandbox.Sandbox;
import io.busbar.sandbox.faults.Faults;
import io.kubernetes.client.custom.V1Patch;
import io.kubernetes.client.extended.leaderelection.LeaderElectionConfig;
import io.kubernetes.client.extended.leaderelection.LeaderElector;
import io.kubernetes.client.extended.leaderelection.resourcelock.LeaseLock;
import io.kubernetes.client.informer.ResourceEventHandler;
import io.kubernetes.client.informer.SharedIndexInformer;
import io.kubernetes.client.informer.SharedInformerFactory;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ConfigMapList;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.util.Config;
import io.kubernetes.client.util.Watch;
import io.kubernetes.client.util.Watchable;
import io.kubernetes.client.util.generic.GenericKubernetesApi;
import io.kubernetes.client.util.generic.KubernetesApiResponse;
import io.kubernetes.client.util.generic.options.ListOptions;
import io.kubernetes.client.util.generic.options.PatchOptions;
import java.io.StringReader;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The official client of the Kubernetes project for Java. */
class OfficialClientTest {

    @AutoClose
    private static final Sandbox SANDBOX = Sandbox.start();

    private static ApiClient client;
    private static GenericKubernetesApi<V1ConfigMap, V1ConfigMapList> maps;

    @BeforeAll
    static void connect() throws Exception {
        client = Config.fromConfig(new StringReader(SANDBOX.kubeconfig()));
        client.setReadTimeout(0);
        maps = new GenericKubernetesApi<>(V1ConfigMap.class, V1ConfigMapList.class, "", "v1", "configmaps", client);
    }

    @Test
    void lists_page_by_page() throws Exception {
        for (int i = 0; i < 5; i++) {
            created(map("page-" + i, "v").metadata(meta("page-" + i).labels(Map.of("paged", "yes"))));
        }
        ListOptions options = new ListOptions();
        options.setLabelSelector("paged in (yes)");
        options.setLimit(3);
        V1ConfigMapList first =
                maps.list("default", options).throwsApiException().getObject();
        assertThat(first.getItems()).hasSize(3);
        options.setContinue(first.getMetadata().getContinue());
        V1ConfigMapList second =
                maps.list("default", options).throwsApiException().getObject();
        assertThat(second.getItems())
                .extracting(map -> map.getMetadata().getName())
                .containsExactly("page-3", "page-4");
        assertThat(second.getMetadata().getContinue()).isNull();
    }

    @Test
    void patches_in_all_ways() throws Exception {
        created(map("patched", "v"));
        assertThat(patched(V1Patch.PATCH_FORMAT_JSON_PATCH, "[{\"op\":\"add\",\"path\":\"/data/a\",\"value\":\"b\"}]"))
                .containsOnly(Map.entry("k", "v"), Map.entry("a", "b"));
        assertThat(patched(V1Patch.PATCH_FORMAT_JSON_MERGE_PATCH, "{\"data\":{\"a\":null}}"))
                .containsOnly(Map.entry("k", "v"));
        assertThat(patched(V1Patch.PATCH_FORMAT_STRATEGIC_MERGE_PATCH, "{\"data\":{\"c\":\"d\"}}"))
                .containsOnly(Map.entry("k", "v"), Map.entry("c", "d"));
        PatchOptions apply = new PatchOptions();
        apply.setFieldManager("official");
        apply.setForce(true);
        V1Patch patch = new V1Patch("{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"data\":{\"k\":\"w\"}}");
        V1ConfigMap applied = maps.patch("default", "patched", V1Patch.PATCH_FORMAT_APPLY_YAML, patch, apply)
                .throwsApiException()
                .getObject();
        assertThat(applied.getData()).containsEntry("k", "w");
        apply.setFieldManager("somebody else");
        apply.setForce(false);
        V1Patch other = new V1Patch("{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"data\":{\"k\":\"x\"}}");
        assertThat(maps.patch("default", "patched", V1Patch.PATCH_FORMAT_APPLY_YAML, other, apply)
                        .getHttpStatusCode())
                .isEqualTo(409);
    }

    @Test
    void is_told_what_is_wrong() {
        KubernetesApiResponse<V1ConfigMap> missing = maps.get("default", "nobody");
        assertThat(missing.getHttpStatusCode()).isEqualTo(404);
        assertThat(missing.getStatus().getReason()).isEqualTo("NotFound");
        KubernetesApiResponse<V1ConfigMap> invalid = maps.create(map("Not_A_Name", "v"));
        assertThat(invalid.getStatus().getDetails().getCauses())
                .anySatisfy(cause -> assertThat(cause.getField()).isEqualTo("metadata.name"));
    }

    @Test
    void watches() throws Exception {
        try (Watchable<V1ConfigMap> watch = maps.watch("default", named("watched"))) {
            created(map("watched", "v"));
            Watch.Response<V1ConfigMap> added = watch.next();
            assertThat(added.type + " " + added.object.getMetadata().getName()).isEqualTo("ADDED watched");
            maps.delete("default", "watched").throwsApiException();
            assertThat(watch.next().type).isEqualTo("DELETED");
        }
    }

    @Test
    void informers_go_on_when_watches_are_cut_and_their_resource_version_is_too_old() throws Exception {
        Faults faults = SANDBOX.faults();
        SharedInformerFactory factory = new SharedInformerFactory(client);
        BlockingQueue<String> seen = new LinkedBlockingQueue<>();
        SharedIndexInformer<V1ConfigMap> informer =
                factory.sharedIndexInformerFor(maps, V1ConfigMap.class, 0, "default");
        informer.addEventHandler(telling("informed", seen));
        factory.startAllRegisteredInformers();
        created(map("informed", "v"));
        assertThat(seen.poll(60, TimeUnit.SECONDS)).isEqualTo("added v");
        CompletableFuture.allOf(faults.expire(), faults.dropWatches()).get(60, TimeUnit.SECONDS);
        maps.update(map("informed", "w")).throwsApiException();
        assertThat(seen.poll(60, TimeUnit.SECONDS)).isEqualTo("updated w");
        maps.delete("default", "informed").throwsApiException();
        assertThat(seen.poll(60, TimeUnit.SECONDS)).isEqualTo("deleted w");
        assertThat(informer.getIndexer().getByKey("default/informed")).isNull();
        factory.stopAllRegisteredInformers();
    }

    @Test
    void one_leads_and_the_next_takes_over() throws Exception {
        BlockingQueue<String> leaders = new LinkedBlockingQueue<>();
        LeaderElector first = elector("first");
        LeaderElector second = elector("second");
        campaign(first, "first", leaders);
        assertThat(leaders.poll(60, TimeUnit.SECONDS)).isEqualTo("first");
        campaign(second, "second", leaders);
        first.close();
        assertThat(leaders.poll(60, TimeUnit.SECONDS)).isEqualTo("second");
        second.close();
    }

    private static LeaderElector elector(String identity) {
        return new LeaderElector(new LeaderElectionConfig(
                new LeaseLock("default", "official-election", identity, client),
                Duration.ofMillis(1500),
                Duration.ofMillis(1000),
                Duration.ofMillis(100)));
    }

    private static void campaign(LeaderElector elector, String identity, BlockingQueue<String> leaders) {
        Thread campaign = new Thread(() -> elector.run(() -> leaders.add(identity), () -> {}), identity);
        campaign.setDaemon(true);
        campaign.start();
    }

    private static ResourceEventHandler<V1ConfigMap> telling(String name, BlockingQueue<String> seen) {
        return new ResourceEventHandler<>() {
            @Override
            public void onAdd(V1ConfigMap map) {
                tell("added", map);
            }

            @Override
            public void onUpdate(V1ConfigMap before, V1ConfigMap map) {
                if (!map.getData().equals(before.getData())) {
                    tell("updated", map);
                }
            }

            @Override
            public void onDelete(V1ConfigMap map, boolean unknown) {
                tell("deleted", map);
            }

            private void tell(String what, V1ConfigMap map) {
                if (name.equals(map.getMetadata().getName())) {
                    seen.add(what + " " + map.getData().get("k"));
                }
            }
        };
    }

    private static Map<String, String> patched(String format, String patch) throws Exception {
        return maps.patch("default", "patched", format, new V1Patch(patch))
                .throwsApiException()
                .getObject()
                .getData();
    }

    private static ListOptions named(String name) {
        ListOptions options = new ListOptions();
        options.setFieldSelector("metadata.name=" + name);
        return options;
    }

    private static void created(V1ConfigMap map) throws Exception {
        maps.create(map).throwsApiException();
    }

    private static V1ConfigMap map(String name, String value) {
        return new V1ConfigMap().metadata(meta(name)).data(Map.of("k", value));
    }

    private static V1ObjectMeta meta(String name) {
        return new V1ObjectMeta().name(name).namespace("default");
    }
}

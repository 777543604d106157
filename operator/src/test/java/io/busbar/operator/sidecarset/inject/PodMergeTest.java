package io.busbar.operator.sidecarset.inject;

import static io.busbar.operator.sidecarset.inject.Injector.annotation;
import static io.busbar.operator.sidecarset.inject.Injector.json;
import static io.busbar.operator.sidecarset.inject.Injector.names;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.admission.AdmissionDecision;
import io.busbar.operator.sidecarset.Yaml;
import io.busbar.operator.sidecarset.v1beta1.SidecarSet;
import io.busbar.operator.sidecarset.v1beta1.SidecarSetStatus;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PodMergeTest {

    private static final String SELECTOR = "selector: {matchLabels: {app: nginx}}\n";
    private static final String HASH = "kruise.io/sidecarset-hash";
    private static final String HASH_WITHOUT_IMAGE = "kruise.io/sidecarset-hash-without-image";
    private static final String INJECTED_LIST = "kruise.io/sidecarset-injected-list";

    @Test
    void puts_sidecars_in_front_of_and_behind_the_pods_own_containers() {
        JsonNode pod = inject(set("""
                containers:
                - {name: log-agent, image: "log:1", podInjectPolicy: AfterAppContainer}
                - {name: dns-f, image: "dns:1"}
                """));

        assertThat(names(pod.at("/spec/containers"))).containsExactly("dns-f", "nginx", "log-agent");
    }

    @Test
    void keeps_the_order_of_several_sidecars_on_one_side() {
        JsonNode pod = inject(set("""
                containers:
                - {name: ledger, image: i, podInjectPolicy: AfterAppContainer}
                - {name: beacon, image: i, podInjectPolicy: BeforeAppContainer}
                - {name: quill, image: i}
                - {name: amber, image: i, podInjectPolicy: AfterAppContainer}
                """));

        assertThat(names(pod.at("/spec/containers"))).containsExactly("beacon", "quill", "nginx", "ledger", "amber");
    }

    @Test
    void sorts_init_containers_by_name_behind_the_pods_own() {
        ObjectNode before = pod();
        before.withObjectProperty("spec")
                .putArray("initContainers")
                .addObject()
                .put("name", "own")
                .put("image", "i");
        JsonNode pod = Injector.with(
                        set("initContainers: [{name: init-2, image: i}]"),
                        set("a-second", "initContainers: [{name: init-1, image: i}, {name: init-0, image: i}]"))
                .inject(before);

        assertThat(names(pod.at("/spec/initContainers"))).containsExactly("own", "init-0", "init-1", "init-2");
    }

    @Test
    void puts_init_containers_in_front_that_ask_for_it() {
        ObjectNode before = pod();
        var own = before.withObjectProperty("spec").putArray("initContainers");
        own.addObject().put("name", "app1");
        own.addObject().put("name", "app2");

        JsonNode pod = Injector.with(set("""
                        initContainers:
                        - {name: c, image: i, podInjectPolicy: BeforeAppContainer}
                        - {name: a, image: i}
                        - {name: b, image: i, podInjectPolicy: BeforeAppContainer}
                        """)).inject(before);

        assertThat(names(pod.at("/spec/initContainers"))).containsExactly("b", "c", "app1", "app2", "a");
    }

    @Test
    void marks_each_injected_container_behind_its_own_variables() {
        JsonNode pod = inject(set("""
                containers: [{name: teller, image: i, env: [{name: IS_INJECTED, value: "no"}]}]
                initContainers: [{name: teller0, image: i}]
                """));

        assertThat(pod.at("/spec/containers/0/env"))
                .isEqualTo(json(
                        "[{\"name\":\"IS_INJECTED\",\"value\":\"no\"},{\"name\":\"IS_INJECTED\",\"value\":\"true\"}]"));
        assertThat(pod.at("/spec/initContainers/0/env"))
                .isEqualTo(json("[{\"name\":\"IS_INJECTED\",\"value\":\"true\"}]"));
        assertThat(pod.at("/spec/containers/1/env").isMissingNode()).isTrue();
    }

    @Test
    void injects_a_container_without_what_only_a_set_knows_and_with_what_is_unknown() {
        JsonNode pod = inject(set("""
                containers:
                - name: agent
                  image: i
                  podInjectPolicy: BeforeAppContainer
                  upgradeStrategy: {upgradeType: ColdUpgrade}
                  shareVolumePolicy: {type: disabled}
                  fieldOfTomorrow: {deep: [1]}
                """));

        assertThat(pod.at("/spec/containers/0")).isEqualTo(json("""
                        {"name":"agent","image":"i","env":[{"name":"IS_INJECTED","value":"true"}],
                         "fieldOfTomorrow":{"deep":[1]}}
                        """));
    }

    @Test
    void adds_only_volumes_that_are_used_init_containers_first() {
        JsonNode pod = inject(set("""
                volumes:
                - {name: v-data, emptyDir: {}}
                - {name: v-idle, emptyDir: {}}
                - {name: v-block, persistentVolumeClaim: {claimName: c}}
                - {name: v-init, hostPath: {path: /var/x}}
                containers:
                - name: clerk
                  image: i
                  volumeMounts: [{name: v-data, mountPath: /d}]
                  volumeDevices: [{name: v-block, devicePath: /b}]
                initContainers:
                - {name: clerk0, image: i, volumeMounts: [{name: v-init, mountPath: /i}, {name: v-data, mountPath: /d}]}
                """));

        assertThat(names(pod.at("/spec/volumes"))).containsExactly("v-init", "v-data", "v-block");
    }

    @Test
    void keeps_the_pods_own_volume_of_that_name() {
        ObjectNode before = pod();
        before.withObjectProperty("spec")
                .putArray("volumes")
                .addObject()
                .put("name", "v")
                .putObject("configMap")
                .put("name", "own");
        JsonNode pod = Injector.with(set("""
                        volumes: [{name: v, emptyDir: {}}]
                        containers: [{name: clerk, image: i, volumeMounts: [{name: v, mountPath: /d}]}]
                        """)).inject(before);

        assertThat(pod.at("/spec/volumes")).isEqualTo(before.at("/spec/volumes"));
    }

    @Test
    void adds_each_pull_secret_once() {
        ObjectNode before = pod();
        var own = before.withObjectProperty("spec").putArray("imagePullSecrets");
        own.addObject().put("name", "s0");
        own.addObject().put("name", "s1");
        own.addObject().put("name", "s2");
        JsonNode pod = Injector.with(set(
                        "containers: [{name: a, image: i}]\nimagePullSecrets: [{name: s2}, {name: s3}, {name: s3}]"))
                .inject(before);

        assertThat(names(pod.at("/spec/imagePullSecrets"))).containsExactly("s0", "s1", "s2", "s3");
    }

    @Test
    void replaces_a_container_of_that_name_where_it_stands() {
        ObjectNode before = pod();
        before.withArray("/spec/containers").addObject().put("name", "porter").put("image", "porter:1");
        before.withArray("/spec/containers").addObject().put("name", "till").put("image", "till:1");

        JsonNode pod = Injector.with(set("containers: [{name: porter, image: 'porter:9'}]"))
                .inject(before);

        assertThat(names(pod.at("/spec/containers"))).containsExactly("nginx", "porter", "till");
        assertThat(pod.at("/spec/containers/1/image").asText()).isEqualTo("porter:9");
    }

    @Test
    void replaces_and_inserts_in_one_patch() {
        ObjectNode before = pod();
        before.withArray("/spec/containers").addObject().put("name", "porter").put("image", "porter:1");

        JsonNode pod = Injector.with(set("""
                        containers:
                        - {name: first, image: i}
                        - {name: porter, image: "porter:9"}
                        - {name: last, image: i, podInjectPolicy: AfterAppContainer}
                        """)).inject(before);

        assertThat(names(pod.at("/spec/containers"))).containsExactly("first", "nginx", "porter", "last");
        assertThat(pod.at("/spec/containers/2/image").asText()).isEqualTo("porter:9");
    }

    @Test
    void changes_nothing_when_it_is_asked_again() {
        Injector injector = Injector.with(set("""
                containers: [{name: a, image: i}, {name: b, image: i, podInjectPolicy: AfterAppContainer}]
                initContainers: [{name: c, image: i}]
                volumes: [{name: v, emptyDir: {}}]
                imagePullSecrets: [{name: s}]
                """));
        ObjectNode once = injector.inject(pod());

        AdmissionDecision again = injector.at("2026-03-01T13:00:00Z").review(PodReview.creating(once));

        assertThat(again).isEqualTo(AdmissionDecision.allowed());
    }

    @Test
    void leaves_alone_what_others_have_added_to_an_injected_container_since() {
        Injector injector =
                Injector.with(set("containers: [{name: a, image: i, volumeMounts: [{name: v, mountPath: /v}]}]"));
        ObjectNode once = injector.inject(pod());
        ObjectNode agent = (ObjectNode) once.at("/spec/containers/0");
        agent.put("imagePullPolicy", "Always");
        agent.withArrayProperty("volumeMounts")
                .insertObject(0)
                .put("name", "token")
                .put("mountPath", "/run/token");

        assertThat(injector.review(PodReview.creating(once))).isEqualTo(AdmissionDecision.allowed());
    }

    @Test
    void replaces_an_injected_container_that_somebody_has_altered_since() {
        Injector injector = Injector.with(set("containers: [{name: a, image: i}, {name: b, image: i}]"));
        ObjectNode once = injector.inject(pod());
        ((ObjectNode) once.at("/spec/containers/0")).put("image", "other");

        ObjectNode again = injector.inject(once);

        assertThat(names(again.at("/spec/containers"))).containsExactly("a", "b", "nginx");
        assertThat(again.at("/spec/containers/0/image").asText()).isEqualTo("i");
    }

    @Test
    void writes_down_what_was_injected_as_go_would() {
        SidecarSet set = set("containers: [{name: zeta, image: i}, {name: alpha, image: i}]");
        set.getMetadata().setAnnotations(Map.of(HASH, "hhh", HASH_WITHOUT_IMAGE, "www"));

        JsonNode pod = inject(set);

        assertThat(annotation(pod, HASH))
                .isEqualTo("{\"web\":{\"updateTimestamp\":\"2026-03-01T12:00:00Z\",\"hash\":\"hhh\","
                        + "\"sidecarSetName\":\"web\",\"sidecarList\":[\"alpha\",\"zeta\"]}}");
        assertThat(annotation(pod, HASH_WITHOUT_IMAGE))
                .isEqualTo("{\"web\":{\"updateTimestamp\":\"2026-03-01T12:00:00Z\",\"hash\":\"www\","
                        + "\"sidecarSetName\":\"web\",\"sidecarList\":[\"alpha\",\"zeta\"]}}");
        assertThat(annotation(pod, INJECTED_LIST)).isEqualTo("web");
    }

    @Test
    void names_the_latest_revision_and_native_sidecars() {
        SidecarSet set =
                set("initContainers: [{name: tunnel, image: i, restartPolicy: Always}, {name: certs, image: i}]");
        set.setStatus(new SidecarSetStatus(1, 0, 0, 0, 0, "web-abc", null, List.of()));

        JsonNode entry = json(annotation(inject(set), HASH)).path("web");

        assertThat(entry.path("sidecarList")).isEqualTo(json("[\"tunnel\"]"));
        assertThat(entry.path("controllerRevision").asText()).isEqualTo("web-abc");
    }

    @Test
    void keeps_annotations_that_are_not_its_own() {
        ObjectNode before = pod();
        before.withObject("/metadata/annotations").put("note", "kept").put(INJECTED_LIST, "zoo");

        JsonNode pod = Injector.with(set("containers: [{name: a, image: i}]")).inject(before);

        assertThat(annotation(pod, "note")).isEqualTo("kept");
        assertThat(annotation(pod, INJECTED_LIST)).isEqualTo("web,zoo");
    }

    @Test
    void gives_the_pod_the_annotations_that_its_sets_patch() {
        ObjectNode before = pod();
        before.withObject("/metadata/annotations").put("colour", "red");

        JsonNode pod = Injector.with(set("""
                        containers: [{name: a, image: i}]
                        patchPodMetadata: [{annotations: {colour: blue, size: xl}}]
                        """)).inject(before);

        assertThat(annotation(pod, "colour")).isEqualTo("red");
        assertThat(annotation(pod, "size")).isEqualTo("xl");
    }

    @Test
    void keeps_the_time_of_an_entry_while_the_hash_is_the_same() {
        SidecarSet set = set("containers: [{name: a, image: i}]");
        ObjectNode first = Injector.with(set).inject(pod());
        ((ObjectNode) first.at("/spec/containers/0")).put("image", "other");

        ObjectNode second = Injector.with(set).at("2026-03-02T00:00:00Z").inject(first);

        assertThat(annotation(second, HASH)).isEqualTo(annotation(first, HASH));
    }

    @Test
    void gives_an_entry_a_new_time_when_the_hash_has_changed() {
        ObjectNode first =
                Injector.with(set("containers: [{name: a, image: 'i:1'}]")).inject(pod());

        ObjectNode second = Injector.with(set("containers: [{name: a, image: 'i:2'}]"))
                .at("2026-03-02T00:00:00Z")
                .inject(first);

        assertThat(json(annotation(second, HASH)).at("/web/updateTimestamp").asText())
                .isEqualTo("2026-03-02T00:00:00Z");
        assertThat(annotation(second, HASH_WITHOUT_IMAGE)).isEqualTo(annotation(first, HASH_WITHOUT_IMAGE));
    }

    @Test
    void brings_entries_that_are_bare_hashes_into_the_present_form() {
        ObjectNode before = pod();
        before.withObject("/metadata/annotations").put(HASH, "{\"old\":\"abc\",\"web\":\"def\"}");

        JsonNode hashes = json(annotation(
                Injector.with(set("containers: [{name: a, image: i}]")).inject(before), HASH));

        assertThat(hashes.path("old"))
                .isEqualTo(json(
                        "{\"updateTimestamp\":null,\"hash\":\"abc\",\"sidecarSetName\":\"old\",\"sidecarList\":null}"));
        assertThat(hashes.at("/web/updateTimestamp").asText()).isEqualTo(Injector.NOON);
    }

    @Test
    void brings_several_sets_in_by_their_names() {
        JsonNode pod = Injector.with(
                        set(
                                "south",
                                "containers: [{name: s1, image: i}, {name: s2, image: i, podInjectPolicy: AfterAppContainer}]"),
                        set(
                                "north",
                                "containers: [{name: n1, image: i}, {name: n2, image: i, podInjectPolicy: AfterAppContainer}]"))
                .inject(pod());

        assertThat(names(pod.at("/spec/containers"))).containsExactly("n1", "s1", "nginx", "n2", "s2");
        assertThat(annotation(pod, INJECTED_LIST)).isEqualTo("north,south");
        assertThat(json(annotation(pod, HASH)).fieldNames()).toIterable().containsExactly("north", "south");
    }

    @Test
    void touches_nothing_else_of_the_pod() {
        ObjectNode before = pod();
        before.withObject("/spec").put("fieldOfTomorrow", "kept").put("nodeName", "n");
        ObjectNode untouched = before.deepCopy();

        ObjectNode pod = Injector.with(set("containers: [{name: a, image: i}]")).inject(before);

        assertThat(before).isEqualTo(untouched);
        pod.withObject("/spec").remove("containers");
        untouched.withObject("/spec").remove("containers");
        assertThat(pod.path("spec")).isEqualTo(untouched.path("spec"));
    }

    private static JsonNode inject(SidecarSet set) {
        return Injector.with(set).inject(pod());
    }

    private static SidecarSet set(String spec) {
        return set("web", spec);
    }

    private static SidecarSet set(String name, String spec) {
        return Yaml.set(name, SELECTOR + spec);
    }

    private static ObjectNode pod() {
        return Injector.pod("metadata: {labels: {app: nginx}}\nspec: {containers: [{name: nginx, image: 'nginx:1'}]}");
    }
}

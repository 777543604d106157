package io.busbar.operator.sidecarset.inject;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.operator.sidecarset.Yaml;
import io.busbar.operator.sidecarset.history.RevisionHistory;
import io.busbar.operator.sidecarset.history.RevisionLookup;
import io.busbar.operator.sidecarset.pod.ModelJson;
import io.busbar.operator.sidecarset.pod.PodAnnotations;
import io.busbar.operator.sidecarset.v1beta1.SidecarSet;
import io.busbar.testkit.memory.InMemoryContext;
import io.fabric8.kubernetes.api.model.apps.ControllerRevision;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class VersionChoiceTest {

    private final SidecarSet set = Yaml.set("web", "{}");
    private final InMemoryContext<SidecarSet> context = InMemoryContext.of(set);
    private final RevisionHistory history = new RevisionHistory("busbar-system");
    private String oldName = "";

    @BeforeEach
    void a_set_with_an_old_version_and_a_present_one() {
        set.getMetadata().setUid("u-1");
        spec("agent:1", "customVersion: v1");
        oldName = history.register(set, context).name();
        spec("agent:2", "customVersion: v2");
        history.register(set, context);
    }

    @Test
    void gives_the_present_version_when_none_is_asked_for() throws Exception {
        assertThat(image("app: web")).isEqualTo("agent:2");
    }

    @Test
    void gives_the_old_version_by_the_name_of_its_revision() throws Exception {
        spec("agent:2", "injectionStrategy: {revision: {revisionName: " + oldName + ", policy: Always}}");

        CompiledVersion version = choose("app: web", "1");

        assertThat(version.containers().get(0).container().path("image").asText())
                .isEqualTo("agent:1");
        assertThat(version.version().latestRevision()).isEqualTo(oldName);
        assertThat(version.version().hash())
                .isNotEqualTo(choice().present().version().hash());
        assertThat(version.version().hashWithoutImage())
                .isEqualTo(choice().present().version().hashWithoutImage());
    }

    @Test
    void gives_the_old_version_by_the_authors_own_name_for_it() throws Exception {
        spec("agent:2", "injectionStrategy: {revision: {customVersion: v1}}");
        assertThat(image("app: web")).isEqualTo("agent:1");
    }

    @Test
    void gives_the_old_version_only_to_pods_that_the_update_holds_back() throws Exception {
        spec("agent:2", partial("selector: {matchLabels: {wave: '1'}}"));

        assertThat(image("wave: '1'")).isEqualTo("agent:2");
        assertThat(image("wave: '2'")).isEqualTo("agent:1");
    }

    @Test
    void gives_the_old_version_to_all_while_the_update_is_paused() throws Exception {
        spec("agent:2", partial("paused: true, selector: {matchLabels: {wave: '1'}}"));

        assertThat(image("wave: '1'")).isEqualTo("agent:1");
    }

    @Test
    void holds_no_new_pod_back_for_a_number_but_a_share_of_them_for_a_percentage() throws Exception {
        spec("agent:2", partial("partition: 3"));
        assertThat(image("app: web")).isEqualTo("agent:2");

        spec("agent:2", partial("partition: 30%"));
        long old = IntStream.range(0, 1000)
                .filter(i -> chosen("uid-" + i * 7919L).equals("agent:1"))
                .count();
        assertThat(old).isBetween(200L, 400L);
    }

    @Test
    void keeps_the_version_that_a_pod_has_already() throws Exception {
        spec("agent:2", partial("partition: 50%"));
        CompiledVersion older = choice().of(metadata("app: web"), Map.of(), uidOf("agent:1"));
        ObjectNode metadata = metadata("app: web");
        metadata.withObjectProperty("annotations")
                .put(
                        PodAnnotations.HASH,
                        "{\"web\":{\"hash\":\"" + older.version().hash() + "\"}}");

        CompiledVersion again = choice().of(metadata, Map.of(), uidOf("agent:2"));

        assertThat(again.version()).isEqualTo(older.version());
    }

    @Test
    void refuses_a_pod_whose_version_is_not_there() {
        spec("agent:2", "injectionStrategy: {revision: {customVersion: v9}}");

        assertThatThrownBy(() -> image("app: web"))
                .isInstanceOf(RefusedInjectionException.class)
                .hasMessage("SidecarSet web cannot be injected: no ControllerRevision of custom version v9");
    }

    private String uidOf(String image) {
        return IntStream.range(0, 100)
                .mapToObj(i -> "uid-" + i)
                .filter(uid -> chosen(uid).equals(image))
                .findFirst()
                .orElseThrow();
    }

    private String chosen(String uid) {
        try {
            return choose("app: web", uid)
                    .containers()
                    .get(0)
                    .container()
                    .path("image")
                    .asText();
        } catch (RefusedInjectionException refused) {
            throw new AssertionError(refused);
        }
    }

    private String image(String labels) throws RefusedInjectionException {
        return choose(labels, "1").containers().get(0).container().path("image").asText();
    }

    private CompiledVersion choose(String labels, String uid) throws RefusedInjectionException {
        ObjectNode metadata = metadata(labels);
        Map<String, String> map = new HashMap<>();
        metadata.path("labels")
                .properties()
                .forEach(label -> map.put(label.getKey(), label.getValue().asText()));
        return choice().of(metadata, map, uid);
    }

    private VersionChoice choice() {
        return VersionChoice.of(set, RevisionLookup.in(context.lister(ControllerRevision.class)));
    }

    private static ObjectNode metadata(String labels) {
        return (ObjectNode) ModelJson.of(Yaml.read("labels: {" + labels + "}", Map.class));
    }

    private void spec(String image, String more) {
        set.setSpec(Yaml.spec(
                "selector: {matchLabels: {app: web}}\ncontainers: [{name: agent, image: '" + image + "'}]\n" + more));
    }

    private static String partial(String update) {
        return "injectionStrategy: {revision: {customVersion: v1, policy: Partial}}\nupdateStrategy: {" + update + "}";
    }
}

package io.busbar.operator.sidecarset.inject;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.admission.AdmissionDecision;
import io.busbar.admission.AdmissionRequest.Operation;
import io.busbar.common.ObjectKey;
import io.busbar.common.ResourceType;
import io.busbar.common.bus.ResourceChanged;
import io.busbar.operator.sidecarset.Yaml;
import io.busbar.operator.sidecarset.v1beta1.SidecarSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PodInjectionTest {

    private static final String SPEC = """
            selector: {matchLabels: {app: nginx}}
            containers: [{name: agent, image: "agent:1"}]
            """;

    @Test
    void allows_a_pod_that_no_set_selects_without_decoding_it() {
        PodReview review = PodReview.creating(pod("app: other"));

        assertThat(Injector.with(set(SPEC)).review(review)).isEqualTo(AdmissionDecision.allowed());
        assertThat(review.decoded()).hasValue(0);
    }

    @Test
    void injects_a_pod_that_a_set_matches() {
        assertThat(decision(SPEC)).isInstanceOf(AdmissionDecision.Patched.class);
    }

    @Test
    void injects_only_at_creation_and_only_the_pod_itself() {
        Injector injector = Injector.with(set(SPEC));
        PodReview review = PodReview.creating(pod("app: nginx"));

        assertThat(injector.review(review.as(Operation.UPDATE))).isEqualTo(AdmissionDecision.allowed());
        assertThat(injector.review(review.of("status"))).isEqualTo(AdmissionDecision.allowed());
    }

    @Test
    void leaves_excluded_namespaces_alone_and_says_so() {
        PodReview review = PodReview.creating(pod("app: nginx"));
        Injector injector = Injector.with(set(SPEC));
        injector.namespaces.put(Injector.namespace("kube-system", Map.of()));

        assertThat(injector.review(review.in("busbar-system"))).isEqualTo(AdmissionDecision.allowed());
        assertThat(injector.review(review.in("kube-system"))).isEqualTo(skipped("namespace kube-system is protected"));
    }

    @Test
    void leaves_namespaces_of_the_control_plane_alone_and_says_so() {
        Injector injector = Injector.with(set(SPEC));
        injector.namespaces.put(Injector.namespace("shop", Map.of("control-plane", "")));

        assertThat(injector.review(PodReview.creating(pod("app: nginx"))))
                .isEqualTo(skipped("namespace shop has the label control-plane"));
    }

    @Test
    void leaves_a_pod_alone_that_opted_out_by_label_and_says_so() {
        PodReview review = PodReview.creating(pod("app: nginx, sidecarset.busbar.io/inject: 'false'"));

        assertThat(Injector.with(set(SPEC)).review(review))
                .isEqualTo(skipped("the Pod says sidecarset.busbar.io/inject=false"));
    }

    @Test
    void leaves_a_pod_alone_that_opted_out_by_annotation_and_says_so() {
        ObjectNode pod = pod("app: nginx");
        pod.withObjectProperty("metadata").withObjectProperty("annotations").put(PodInjection.OPT_OUT, "false");

        assertThat(Injector.with(set(SPEC)).review(PodReview.creating(pod)))
                .isEqualTo(skipped("the Pod says sidecarset.busbar.io/inject=false"));
    }

    @Test
    void leaves_a_finished_pod_alone() {
        ObjectNode pod = pod("app: nginx");
        pod.putObject("status").put("phase", "Succeeded");

        assertThat(Injector.with(set(SPEC)).review(PodReview.creating(pod))).isEqualTo(AdmissionDecision.allowed());
    }

    @Test
    void leaves_a_pod_alone_that_is_being_deleted() {
        ObjectNode pod = pod("app: nginx");
        pod.withObjectProperty("metadata").put("deletionTimestamp", Injector.NOON);

        assertThat(Injector.with(set(SPEC)).review(PodReview.creating(pod))).isEqualTo(AdmissionDecision.allowed());
    }

    @Test
    void injects_nothing_of_a_set_whose_injection_is_paused_and_says_so() {
        assertThat(decision(SPEC + "injectionStrategy: {paused: true}")).isEqualTo(skipped("its injection is paused"));
    }

    @Test
    void injects_nothing_of_a_set_whose_selector_is_empty_or_absent() {
        String containers = "containers: [{name: agent, image: 'agent:1'}]\n";

        assertThat(decision(containers + "selector: {}")).isEqualTo(AdmissionDecision.allowed());
        assertThat(decision(containers)).isEqualTo(AdmissionDecision.allowed());
    }

    @Test
    void matches_the_namespace_by_name() {
        assertThat(decision(SPEC + namespace("shop"))).isInstanceOf(AdmissionDecision.Patched.class);
        assertThat(decision(SPEC + namespace("other"))).isEqualTo(AdmissionDecision.allowed());
    }

    @Test
    void matches_the_namespace_by_label() {
        assertThat(decision(SPEC + "namespaceSelector: {matchLabels: {team: harbor}}"))
                .isInstanceOf(AdmissionDecision.Patched.class);
        assertThat(decision(SPEC + "namespaceSelector: {matchLabels: {team: orchard}}"))
                .isEqualTo(AdmissionDecision.allowed());
    }

    @Test
    void refuses_a_pod_for_now_whose_namespace_is_not_known_yet() {
        AdmissionDecision decision = Injector.with(set(SPEC))
                .review(PodReview.creating(pod("app: nginx")).in("brand-new"));

        assertThat(decision)
                .isInstanceOfSatisfying(
                        AdmissionDecision.Denied.class,
                        denied -> assertThat(denied.code()).isEqualTo(503));
    }

    @Test
    void refuses_pods_for_now_until_the_sets_have_been_read() {
        AdmissionDecision decision = new Injector().review(PodReview.creating(pod("app: nginx")));

        assertThat(decision)
                .isInstanceOfSatisfying(
                        AdmissionDecision.Denied.class,
                        denied -> assertThat(denied.code()).isEqualTo(503));
    }

    @Test
    void refuses_a_pod_whose_annotation_cannot_be_read_and_names_it() {
        ObjectNode pod = pod("app: nginx");
        pod.withObjectProperty("metadata")
                .withObjectProperty("annotations")
                .put("kruise.io/sidecarset-hash", "not json");

        assertThat(Injector.with(set(SPEC)).review(PodReview.creating(pod)))
                .isInstanceOfSatisfying(AdmissionDecision.Denied.class, denied -> {
                    assertThat(denied.code()).isEqualTo(422);
                    assertThat(denied.causes())
                            .singleElement()
                            .extracting(problem -> problem.path())
                            .isEqualTo("metadata.annotations[kruise.io/sidecarset-hash]");
                });
    }

    @Test
    void follows_a_set_that_is_added_changed_and_deleted() {
        Injector injector = Injector.with();
        PodReview review = PodReview.creating(pod("app: nginx"));

        injector.sets.put(set(SPEC));
        injector.feed.changed(change(ResourceChanged.Kind.ADDED));
        assertThat(injector.review(review)).isInstanceOf(AdmissionDecision.Patched.class);

        injector.sets.put(set(SPEC.replace("nginx", "httpd")));
        injector.feed.changed(change(ResourceChanged.Kind.MODIFIED));
        assertThat(injector.review(review)).isEqualTo(AdmissionDecision.allowed());

        injector.sets.remove(ObjectKey.of("web"));
        injector.feed.changed(change(ResourceChanged.Kind.DELETED));
        assertThat(injector.feed.size()).isZero();
    }

    @Test
    void goes_on_with_the_others_when_one_set_slipped_past_validation() {
        SidecarSet invalid =
                Yaml.set("bad", "selector: {matchExpressions: [{key: app, operator: Near, values: [nginx]}]}");

        assertThat(Injector.with(invalid, set(SPEC)).review(PodReview.creating(pod("app: nginx"))))
                .isInstanceOf(AdmissionDecision.Patched.class);
    }

    private static AdmissionDecision decision(String spec) {
        return Injector.with(set(spec)).review(PodReview.creating(pod("app: nginx")));
    }

    @Test
    void puts_a_canary_in_the_place_of_its_base_for_the_pods_that_it_matches() {
        SidecarSet canary = Yaml.set("web-canary", SPEC.replace("agent:1", "agent:2") + namespace("shop"));
        canary.getMetadata().setAnnotations(Map.of(SidecarSet.CANARY, "true", SidecarSet.BASE, "web"));
        Injector injector = Injector.with(set(SPEC), canary);
        injector.namespaces.put(Injector.namespace("bank", Map.of()));
        ObjectNode pod = pod("app: nginx");

        assertThat(image(injector.inject(pod))).isEqualTo("agent:2");
        assertThat(injector.review(PodReview.creating(pod)).warnings())
                .containsExactly("SidecarSet web is not injected: its canary web-canary takes its place");
        assertThat(injector.review(PodReview.creating(pod).in("bank")).warnings())
                .isEmpty();
    }

    @Test
    void does_not_put_a_paused_canary_in_the_place_of_its_base() {
        SidecarSet canary = Yaml.set("web-canary", SPEC + "injectionStrategy: {paused: true}");
        canary.getMetadata().setAnnotations(Map.of(SidecarSet.CANARY, "true", SidecarSet.BASE, "web"));

        assertThat(image(Injector.with(set(SPEC), canary).inject(pod("app: nginx"))))
                .isEqualTo("agent:1");
    }

    private static String image(ObjectNode pod) {
        return pod.at("/spec/containers/0/image").asText();
    }

    private static AdmissionDecision skipped(String reason) {
        return new AdmissionDecision.Allowed(List.of("SidecarSet web is not injected: " + reason));
    }

    private static SidecarSet set(String spec) {
        return Yaml.set("web", spec);
    }

    private static ResourceChanged change(ResourceChanged.Kind kind) {
        return new ResourceChanged(ResourceType.of(SidecarSet.class), "", ObjectKey.of("web"), kind, "1");
    }

    private static String namespace(String name) {
        return "namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: " + name + "}}";
    }

    private static ObjectNode pod(String labels) {
        return Injector.pod(
                "metadata: {labels: {" + labels + "}}\nspec: {containers: [{name: nginx, image: 'nginx:1'}]}");
    }
}

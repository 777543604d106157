package io.busbar.sandbox.rbac;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.sandbox.request.AccessRequest;
import io.busbar.sandbox.storage.GroupResource;
import java.util.List;
import org.junit.jupiter.api.Test;

class RuleTest {

    private static final GroupResource PODS = GroupResource.core("pods");

    private static Rule rule(String verb, String group, String resource, String... names) {
        return new Rule(List.of(verb), List.of(group), List.of(resource), List.of(names), List.of());
    }

    private static Rule path(String verb, String path) {
        return new Rule(List.of(verb), List.of(), List.of(), List.of(), List.of(path));
    }

    private static AccessRequest request(String resource, String subresource, String name) {
        return new AccessRequest("get", "", resource, subresource, "n", name, "");
    }

    @Test
    void needs_verb_group_and_resource() {
        assertThat(rule("get", "", "pods").allows(request("pods", "", ""))).isTrue();
        assertThat(rule("list", "", "pods").allows(request("pods", "", ""))).isFalse();
        assertThat(rule("get", "apps", "pods").allows(request("pods", "", ""))).isFalse();
        assertThat(rule("get", "", "secrets").allows(request("pods", "", ""))).isFalse();
        assertThat(rule("*", "*", "*").allows(request("pods", "exec", "x"))).isTrue();
    }

    @Test
    void means_a_subresource_only_when_it_says_so() {
        assertThat(rule("get", "", "pods").allows(request("pods", "status", "x")))
                .isFalse();
        assertThat(rule("get", "", "pods/status").allows(request("pods", "status", "x")))
                .isTrue();
        assertThat(rule("get", "", "pods/status").allows(request("pods", "", "x")))
                .isFalse();
        assertThat(rule("get", "", "*/status").allows(request("pods", "status", "x")))
                .isTrue();
        assertThat(rule("get", "", "*/status").allows(request("pods", "", "x"))).isFalse();
    }

    @Test
    void with_names_means_nothing_without_a_name() {
        assertThat(rule("get", "", "pods", "x").allows(request("pods", "", "x")))
                .isTrue();
        assertThat(rule("get", "", "pods", "x").allows(request("pods", "", "y")))
                .isFalse();
        assertThat(rule("get", "", "pods", "x").allows(request("pods", "", ""))).isFalse();
    }

    @Test
    void means_paths_below_a_star() {
        assertThat(path("get", "/apis/*").allows(AccessRequest.path("get", "/apis/apps")))
                .isTrue();
        assertThat(path("get", "/apis/*").allows(AccessRequest.path("get", "/apis")))
                .isFalse();
        assertThat(path("get", "*").allows(AccessRequest.path("get", "/metrics")))
                .isTrue();
        assertThat(path("get", "*").allows(AccessRequest.resource("get", PODS, "n", "")))
                .isFalse();
        assertThat(rule("*", "*", "*").allows(AccessRequest.path("get", "/metrics")))
                .isFalse();
    }

    @Test
    void covers_less_and_not_more() {
        assertThat(rule("*", "", "pods").covers(rule("get", "", "pods", "x"))).isTrue();
        assertThat(rule("get", "", "pods", "x").covers(rule("get", "", "pods"))).isFalse();
        assertThat(rule("get", "", "pods", "x").covers(rule("get", "", "pods", "x")))
                .isTrue();
        assertThat(rule("get", "", "*/status").covers(rule("get", "", "pods/status")))
                .isTrue();
        assertThat(rule("get", "", "pods").covers(rule("get", "", "*"))).isFalse();
        assertThat(path("*", "/apis/*").covers(path("get", "/apis/apps/*"))).isTrue();
        assertThat(path("get", "/apis").covers(path("get", "/apis/*"))).isFalse();
        assertThat(rule("*", "*", "*").covers(path("get", "/apis"))).isFalse();
    }

    @Test
    void comes_apart_into_what_it_is_made_of() {
        Rule both = new Rule(List.of("get", "list"), List.of("", "apps"), List.of("pods"), List.of("x"), List.of());
        assertThat(both.parts())
                .containsExactly(
                        rule("get", "", "pods", "x"),
                        rule("list", "", "pods", "x"),
                        rule("get", "apps", "pods", "x"),
                        rule("list", "apps", "pods", "x"));
        assertThat(both.toString())
                .isEqualTo("{APIGroups:[\"\" \"apps\"], Resources:[\"pods\"], ResourceNames:[\"x\"],"
                        + " Verbs:[\"get\" \"list\"]}");
    }
}

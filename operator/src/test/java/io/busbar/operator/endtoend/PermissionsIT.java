package io.busbar.operator.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.common.ResourceType;
import io.busbar.common.api.ApiCall;
import io.busbar.manifests.OperatorPart;
import io.busbar.manifests.yaml.Yaml;
import io.busbar.operator.bundled.Bundled;
import io.busbar.operator.mysqlcluster.bed.DatabaseNode;
import io.busbar.runtime.assembly.StandaloneOperator;
import io.busbar.runtime.bundle.Bundle;
import io.busbar.runtime.options.OperatorOptions;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.client.Config;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The generated roles say what the operator does, no less and no more: after all other classes of the suite, the roles
 * are held against the calls that the operator has made in it. Each of the bundled operators has its own, with which
 * alone it runs in classes that are about it.
 */
@EndToEnd
@Isolated("comes last, though other classes run at once")
@Order(Integer.MAX_VALUE)
class PermissionsIT {

    private static final Set<String> OF_THE_RUNTIME =
            Set.of("events.k8s.io", "admissionregistration.k8s.io", "apiextensions.k8s.io");

    /** Something that a rule allows. */
    private record Grant(String scope, String verb, String group, String resource, Set<String> names) {

        boolean covers(ApiCall call, String ownNamespace) {
            return verb.equals(call.verb())
                    && group.equals(call.group())
                    && resource.equals(call.resource())
                    && (names.isEmpty() || names.contains(call.name()))
                    && (scope.equals("everywhere") || call.namespace().equals(ownNamespace));
        }

        /** Whether each operator has it, or each that has webhooks. */
        boolean isOfTheRuntime() {
            return OF_THE_RUNTIME.contains(group) || (resource.equals("secrets") && !scope.equals("everywhere"));
        }
    }

    private final Cluster cluster;
    private final RunningCluster running;

    PermissionsIT(Cluster cluster) {
        this.cluster = cluster;
        this.running = cluster.running();
    }

    /** Those that run alone in some classes, and an empty name for all of them together. */
    static Stream<String> operators() {
        return Stream.concat(names(), Stream.of(""));
    }

    static Stream<String> names() {
        return Bundled.operator().bundles().stream().map(Bundle::name);
    }

    @ParameterizedTest
    @MethodSource("operators")
    void the_operator_is_refused_nothing_for_lack_of_a_role(String operator) {
        assertThat(uncovered(operator, running.calls(operator).refused())).isEmpty();
    }

    /** Where some tests cannot run, what only they need is not seen. What all of them need is used by some of them. */
    @ParameterizedTest
    @MethodSource("operators")
    @EnabledIf(
            value = "io.busbar.operator.endtoend.DatabasesCondition#hasLeftNoneOut",
            disabledReason = "it was late, or: " + DatabaseNode.NEEDS)
    @DisabledIfSystemProperty(named = "it.test", matches = ".+", disabledReason = "needs the calls of the whole suite")
    @DisabledIfSystemProperty(named = "busbar.cluster", matches = ".+", disabledReason = "other versions, other calls")
    void the_roles_allow_nothing_that_the_operator_does_not_do(String operator) {
        Set<ApiCall> calls = new HashSet<>(running.calls(operator).allowed());
        if (operator.isEmpty()) {
            names().forEach(one -> calls.addAll(running.calls(one).allowed()));
        }
        List<Grant> grants = grants(operator);

        assertThat(calls).hasSizeGreaterThan(5);
        assertThat(grants)
                .filteredOn(grant -> operator.isEmpty() || !grant.isOfTheRuntime())
                .filteredOn(grant -> calls.stream().noneMatch(call -> grant.covers(call, running.namespace())))
                .filteredOn(grant -> !isPartOfList(grant, grants))
                .isEmpty();
    }

    /**
     * Whoever may list all can read each: to get one allows nothing more. An owner does so where its watch is late to
     * show an object, which is seldom.
     */
    private static boolean isPartOfList(Grant grant, List<Grant> grants) {
        Grant list = new Grant(grant.scope(), "list", grant.group(), grant.resource(), Set.of());
        return grant.verb().equals("get") && grants.contains(list);
    }

    @ParameterizedTest
    @MethodSource("operators")
    void everything_that_the_operator_does_is_declared(String operator) {
        assertThat(uncovered(operator, running.calls(operator).allowed())).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("names")
    void a_permission_less_is_noticed(String operator) throws Exception {
        String status = kind(operator).plural() + "/status";
        withOnly(
                operator,
                Set.of(),
                account -> account.allowBut(running.client(), "patch", status),
                calls -> assertThat(calls.refused())
                        .extracting(ApiCall::verb, ApiCall::resource)
                        .containsExactly(tuple("patch", status)));
    }

    @ParameterizedTest
    @MethodSource("names")
    void roles_in_the_namespaces_that_are_watched_are_enough(String operator) throws Exception {
        String status = kind(operator).plural() + "/status";
        withOnly(
                operator,
                Set.of(cluster.namespace()),
                account -> account.allowIn(running.client(), cluster.namespace(), part(operator)),
                calls -> {
                    assertThat(calls.refused()).isEmpty();
                    assertThat(calls.allowed())
                            .extracting(ApiCall::verb, ApiCall::resource)
                            .contains(tuple("patch", status));
                });
        OperatorAccount.disallowIn(running.client(), cluster.namespace());
    }

    /** Runs one of the bundled operators with other permissions than its own, and makes its sample meanwhile. */
    private void withOnly(
            String operator, Set<String> watched, Consumer<OperatorAccount> allow, Consumer<ApiCalls> assertion)
            throws Exception {
        OperatorAccount account = OperatorAccount.of(operator);
        ApiCalls calls = ApiCalls.ofTheOperator();
        running.startOperator(operator);
        running.stopOperator();
        allow.accept(account);
        StandaloneOperator other = new StandaloneOperator(
                Bundled.operator(),
                Config.fromKubeconfig(running.kubeconfig().toFile()),
                OperatorOptions.besideCluster(Bundled.NAME).toBuilder()
                        .operators(Set.of(operator))
                        .watchNamespaces(watched)
                        .build(),
                List.of(calls));
        try {
            other.start();
            cluster.create(GenericKubernetesResource.class, sample(operator));

            cluster.eventually(() -> assertion.accept(calls));
        } finally {
            other.stop();
            running.removeWebhooks();
            account.allow(running.client());
            running.startOperator();
            cluster.removeAll();
            running.startOperator("");
        }
    }

    private static ResourceType kind(String operator) {
        return ResourceType.of(part(operator).types().get(0));
    }

    private static OperatorPart part(String operator) {
        return Bundled.operator().declaration().parts().stream()
                .filter(part -> part.name().equals(operator))
                .findFirst()
                .orElseThrow();
    }

    private String sample(String operator) {
        ObjectNode object = Yaml.readAll(part(operator).samples().get(0).yaml()).get(0);
        if (kind(operator).namespaced()) {
            object.withObject("/metadata").put("namespace", cluster.namespace());
        }
        return object.toString();
    }

    /** A call may be refused for other reasons too: in a namespace that ends, say. */
    private List<ApiCall> uncovered(String operator, Set<ApiCall> calls) {
        List<Grant> grants = grants(operator);
        return calls.stream()
                .filter(call -> grants.stream().noneMatch(grant -> grant.covers(call, running.namespace())))
                .toList();
    }

    private static List<Grant> grants(String operator) {
        List<Grant> grants = new ArrayList<>();
        OperatorAccount account = OperatorAccount.of(operator);
        account.everywhere().forEach(rule -> add(grants, "everywhere", rule));
        account.inOwnNamespace().forEach(rule -> add(grants, "own namespace", rule));
        return grants;
    }

    private static void add(List<Grant> grants, String scope, PolicyRule rule) {
        for (String group : rule.getApiGroups()) {
            for (String resource : rule.getResources()) {
                for (String verb : rule.getVerbs()) {
                    grants.add(new Grant(scope, verb, group, resource, Set.copyOf(rule.getResourceNames())));
                }
            }
        }
    }
}

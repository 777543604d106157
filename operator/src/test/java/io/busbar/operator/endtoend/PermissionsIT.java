package io.busbar.operator.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.operator.mysqlcluster.bed.DatabaseNode;
import io.busbar.runtime.client.ApiCall;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * The generated roles say what the operator does, no less and no more: after all other classes of the suite, the roles are held
 * against the calls that the operator has made in it.
 */
@EndToEnd
@Isolated("comes last, though other classes run at once")
@Order(Integer.MAX_VALUE)
class PermissionsIT {

    /** Something that a rule allows. */
    private record Grant(String scope, String verb, String group, String resource, Set<String> names) {

        boolean covers(ApiCall call, String ownNamespace) {
            return verb.equals(call.verb())
                    && group.equals(call.group())
                    && resource.equals(call.resource())
                    && (names.isEmpty() || names.contains(call.name()))
                    && (scope.equals("everywhere") || call.namespace().equals(ownNamespace));
        }
    }

    private final RunningCluster cluster;

    PermissionsIT(Cluster cluster) {
        this.cluster = cluster.running();
    }

    @Test
    void the_operator_is_refused_nothing_for_lack_of_a_role() {
        assertThat(uncovered(cluster.calls().refused())).isEmpty();
    }

    /** Where some tests cannot run, what only they need is not seen. */
    @Test
    @EnabledIf(value = "io.busbar.operator.mysqlcluster.bed.DatabaseNode#runsHere", disabledReason = DatabaseNode.NEEDS)
    @DisabledIfSystemProperty(named = "it.test", matches = ".+", disabledReason = "needs the calls of the whole suite")
    @DisabledIfSystemProperty(named = "busbar.cluster", matches = ".+", disabledReason = "other versions, other calls")
    void the_roles_allow_nothing_that_the_operator_does_not_do() {
        Set<ApiCall> calls = cluster.calls().allowed();
        List<Grant> grants = grants();

        assertThat(calls).hasSizeGreaterThan(20);
        assertThat(grants)
                .filteredOn(grant -> calls.stream().noneMatch(call -> grant.covers(call, cluster.namespace())))
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

    @Test
    void everything_that_the_operator_does_is_declared() {
        assertThat(uncovered(cluster.calls().allowed())).isEmpty();
    }

    /** A call may be refused for other reasons too: in a namespace that ends, say. */
    private List<ApiCall> uncovered(Set<ApiCall> calls) {
        List<Grant> grants = grants();
        return calls.stream()
                .filter(call -> grants.stream().noneMatch(grant -> grant.covers(call, cluster.namespace())))
                .toList();
    }

    private List<Grant> grants() {
        List<Grant> grants = new ArrayList<>();
        OperatorAccount account = cluster.account();
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

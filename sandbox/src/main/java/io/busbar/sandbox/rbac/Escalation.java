package io.busbar.sandbox.rbac;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.common.ObjectKey;
import io.busbar.sandbox.admission.AdmissionAttributes;
import io.busbar.sandbox.admission.AdmissionChain;
import io.busbar.sandbox.request.AccessRequest;
import io.busbar.sandbox.request.Caller;
import io.busbar.sandbox.status.StatusException;
import io.busbar.sandbox.storage.GroupResource;
import io.busbar.sandbox.storage.Metadata;
import io.busbar.sandbox.syntax.GoText;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Nobody grants what they don't have: refuses roles and bindings that would, once others had their say in them, unless
 * the caller may {@code escalate} or {@code bind}.
 *
 * <p>One context. The rules of apiserver's {@code policybased} storage of roles and bindings.
 */
public final class Escalation implements AdmissionChain {

    private static final List<Rule> EVERYTHING = List.of(Rule.ALL_RESOURCES, Rule.ALL_PATHS);

    private final AdmissionChain others;
    private final RbacAuthorizer authorizer;

    public Escalation(AdmissionChain others, RbacAuthorizer authorizer) {
        this.others = others;
        this.authorizer = authorizer;
    }

    @Override
    public Future<@Nullable ObjectNode> mutate(AdmissionAttributes attributes, @Nullable ObjectNode object) {
        Future<@Nullable ObjectNode> mutated = others.mutate(attributes, object);
        GroupResource resource = attributes.target().resource().storage();
        if (object == null || !resource.group().equals(RoleRef.GROUP)) {
            return mutated;
        }
        return mutated.map(after -> {
            if (after != null) {
                check(attributes, after);
            }
            return after;
        });
    }

    @Override
    public Future<Void> validate(AdmissionAttributes attributes, @Nullable ObjectNode object) {
        return others.validate(attributes, object);
    }

    private void check(AdmissionAttributes attributes, ObjectNode object) {
        Caller caller = attributes.options().caller();
        if (caller.groups().contains(RbacAuthorizer.MASTERS)) {
            return;
        }
        ObjectNode before = attributes.before();
        GroupResource resource = attributes.target().resource().storage();
        String namespace = attributes.target().namespace();
        String name = Metadata.of(object).name();
        switch (resource.plural()) {
            case "roles", "clusterroles" -> {
                if (before == null || !sameRole(before, object)) {
                    checkRole(caller, resource, new ObjectKey(namespace, name), before, object);
                }
            }
            default -> {
                if (before == null || !before.path("subjects").equals(object.path("subjects"))) {
                    checkBinding(caller, resource, new ObjectKey(namespace, name), object);
                }
            }
        }
    }

    private static boolean sameRole(ObjectNode before, ObjectNode after) {
        return before.path("rules").equals(after.path("rules"))
                && before.path("aggregationRule").equals(after.path("aggregationRule"));
    }

    private void checkRole(
            Caller caller, GroupResource resource, ObjectKey key, @Nullable ObjectNode before, ObjectNode role) {
        if (may(caller, "escalate", resource, key)) {
            return;
        }
        boolean sums = sumsUp(role) || (before != null && sumsUp(before));
        if (sums && !excess(caller, key.namespace(), EVERYTHING).isEmpty()) {
            throw StatusException.forbidden(
                    resource, key.name(), "must have cluster-admin privileges to use the aggregationRule");
        }
        checkRules(caller, resource, key, Rule.all(role));
    }

    /** An {@code aggregationRule} without selectors is none. */
    private static boolean sumsUp(ObjectNode role) {
        return !role.at("/aggregationRule/clusterRoleSelectors").isEmpty();
    }

    private void checkBinding(Caller caller, GroupResource resource, ObjectKey key, ObjectNode binding) {
        RoleRef role = RoleRef.of(binding, key.namespace());
        ObjectKey bound = new ObjectKey(key.namespace(), role.key().name());
        if (may(caller, "bind", role.resource(), bound)) {
            return;
        }
        List<Rule> rules = authorizer
                .rules(role)
                .orElseThrow(() ->
                        StatusException.notFound(role.singular(), role.key().name()));
        checkRules(caller, resource, key, rules);
    }

    private boolean may(Caller caller, String verb, GroupResource resource, ObjectKey key) {
        return authorizer
                .authorize(caller, AccessRequest.resource(verb, resource, key.namespace(), key.name()))
                .allowed();
    }

    private void checkRules(Caller caller, GroupResource resource, ObjectKey key, List<Rule> rules) {
        List<Rule> excess = excess(caller, key.namespace(), rules);
        if (excess.isEmpty()) {
            return;
        }
        String groups = caller.groups().stream().map(GoText::quote).collect(Collectors.joining(" ", "[", "]"));
        List<String> errors = authorizer.holdings(caller, key.namespace()).errors();
        throw StatusException.forbidden(
                resource,
                key.name(),
                "user " + GoText.quote(caller.username()) + " (groups=" + groups
                        + ") is attempting to grant RBAC permissions not currently held:\n"
                        + String.join("\n", described(excess))
                        + (errors.isEmpty() ? "" : "; resolution errors: " + errors));
    }

    /** What of these rules is not covered by what the caller has. */
    private List<Rule> excess(Caller caller, String namespace, List<Rule> rules) {
        List<Rule> held = authorizer.holdings(caller, namespace).rules();
        return rules.stream()
                .flatMap(rule -> rule.parts().stream())
                .filter(part -> held.stream().noneMatch(own -> own.covers(part)))
                .toList();
    }

    /** In order, one for each thing with all its verbs. */
    private static Set<String> described(List<Rule> parts) {
        Map<Rule, List<String>> verbs = new LinkedHashMap<>();
        Set<String> texts = new TreeSet<>();
        for (Rule part : parts) {
            if (part.isOfPaths()) {
                texts.add(part.toString());
            } else {
                verbs.computeIfAbsent(part.withVerbs(List.of()), absent -> new ArrayList<>())
                        .addAll(part.verbs());
            }
        }
        verbs.forEach((thing, all) -> texts.add(thing.withVerbs(all).toString()));
        return texts;
    }
}

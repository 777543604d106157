package io.busbar.admission;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.admission.conversion.Versions;
import io.busbar.admission.patch.JsonPatch;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Makes rules of what users write.
 *
 * <p>Any thread; so are the rules, if what they are made of is.
 */
public final class AdmissionRules {

    private AdmissionRules() {}

    /**
     * A rule for create and update that patches what a defaulter fills in, and nothing else: fields that the type does
     * not know stay as they are. An object that does not fit the type is denied (422), one of another kind too (400),
     * but for an update that changes nothing but its metadata. What is being deleted is left alone, as long as nothing
     * but its metadata changes.
     */
    public static <T extends HasMetadata> AdmissionRule defaulting(Class<T> type, Defaulter<T> defaulter) {
        return defaulting(type, object -> List.of(), defaulter);
    }

    /**
     * The same for a type of which the API server would refuse some objects in worse words than ours, before it asks a
     * validating webhook: those with problems are denied (422) here.
     */
    public static <T extends HasMetadata> AdmissionRule defaulting(
            Class<T> type, Function<T, List<FieldProblem>> problems, Defaulter<T> defaulter) {
        return new DefaultingRule<>(new TypedObjects<>(type), problems, defaulter);
    }

    /**
     * A rule that denies (422) what a validator finds problems in, and hands on its warnings. An object that does not
     * fit the type is denied too (422; one of another kind 400).
     *
     * <p>What is stored may not fit it, as when the type has become stricter. It can be repaired: what is to be stored
     * is given to {@link Validator#create} then, and a warning says so. It can be deleted, and its metadata can change,
     * with a warning and without being validated. Of what is being deleted metadata can change in any case, so that
     * finalizers can be removed.
     */
    public static <T extends HasMetadata> AdmissionRule validating(Class<T> type, Validator<T> validator) {
        return new ValidatingRule<>(new TypedObjects<>(type), validator);
    }

    /**
     * Allows everything in some namespaces and asks the rule about the rest: a selector on
     * {@code kubernetes.io/metadata.name} cannot keep them away before Kubernetes 1.21.
     */
    public static AdmissionRule outside(Set<String> namespaces, AdmissionRule rule) {
        Set<String> excluded = Set.copyOf(namespaces);
        return request -> excluded.contains(request.namespace()) ? AdmissionDecision.allowed() : rule.review(request);
    }

    /** The same rule for what takes longer than an event loop can wait: it is asked on a worker. */
    public static AdmissionRule onWorker(AdmissionRule rule) {
        return new AdmissionRule() {
            @Override
            public AdmissionDecision review(AdmissionRequest request) {
                return rule.review(request);
            }

            @Override
            public boolean isLong() {
                return true;
            }
        };
    }

    /**
     * One rule for a webhook that is asked about several resources, or about subresources: each is told apart by what
     * the request is about. Of many subresources, such as {@code pods/eviction} and {@code deployments/scale}, the
     * object is of another kind than the resource's.
     *
     * @param rules by resource, such as {@code pods}, {@code pods/eviction}, or <code>*&#47;scale</code> where no other
     *     names it; what none of them names is allowed
     */
    public static AdmissionRule byResource(Map<String, AdmissionRule> rules) {
        Map<String, AdmissionRule> known = Map.copyOf(rules);
        return request -> {
            String part = request.subResource().isEmpty() ? "" : "/" + request.subResource();
            AdmissionRule rule = known.get(request.resource() + part);
            AdmissionRule chosen = rule != null ? rule : known.get("*" + part);
            return chosen == null ? AdmissionDecision.allowed() : chosen.review(request);
        };
    }

    /**
     * A rule that answers in whichever version of a kind it is asked: objects in a version that it does not read are
     * converted before it sees them, and what it changes is converted back. So replicas of two builds can stand behind
     * one Service, whichever build's configuration the API server has.
     *
     * <p>An object that cannot be converted is denied (422), but for a delete, and an update that changes nothing but
     * its metadata.
     *
     * @param versions of the kind; the rule sees objects of other kinds as they come
     * @param read the names of the versions that the rule reads, such as {@code v1}, one or more. The hub is one of
     *     them where it can be: objects are converted to it, else to the first of those that there are
     */
    public static AdmissionRule inAnyVersion(Versions<?> versions, List<String> read, AdmissionRule rule) {
        return new ConvertingRule(versions, read, rule);
    }

    /**
     * A rule that asks one about objects that are to be stored and came in a certain version, and, unless that refuses,
     * another about all requests: for what can be wrong in that version alone. Both warn.
     *
     * @param apiVersion with the group, such as {@code example.com/v1}
     * @param ofVersion must not change objects
     */
    public static AdmissionRule alsoIn(String apiVersion, AdmissionRule ofVersion, AdmissionRule ofAll) {
        return new VersionsOwnRule(apiVersion, ofVersion, ofAll);
    }

    /**
     * The decision to change the object of a request.
     *
     * @param change is given a copy of the raw object, to be changed in place
     * @return with a minimal patch; {@link AdmissionDecision.Allowed} when nothing has changed
     * @throws IllegalArgumentException when the request has no object
     */
    public static AdmissionDecision changed(AdmissionRequest request, Consumer<ObjectNode> change) {
        ObjectNode object = request.object();
        if (object == null) {
            throw new IllegalArgumentException("nothing to change: " + request.operation() + " has no object");
        }
        ObjectNode copy = object.deepCopy();
        change.accept(copy);
        return patched(JsonPatch.diff(object, copy), List.of());
    }

    static AdmissionDecision patched(ArrayNode patch, List<String> warnings) {
        return patch.isEmpty()
                ? new AdmissionDecision.Allowed(warnings)
                : new AdmissionDecision.Patched(patch, warnings);
    }
}

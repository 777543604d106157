package io.busbar.sandbox.auth;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.rbac.Authorizer;
import io.busbar.sandbox.rbac.Holdings;
import io.busbar.sandbox.rbac.Rule;
import io.busbar.sandbox.rbac.Verdict;
import io.busbar.sandbox.request.AccessRequest;
import io.busbar.sandbox.request.Caller;
import io.busbar.sandbox.status.Causes;
import io.busbar.sandbox.status.FieldCause;
import io.busbar.sandbox.status.StatusException;
import io.busbar.sandbox.syntax.GoText;
import java.util.ArrayList;
import java.util.List;

/**
 * Answers what somebody may do: SubjectAccessReview, its local and its own form, and SelfSubjectRulesReview.
 *
 * <p>One context.
 */
public final class AccessReviews {

    private static final String GROUP = "authorization.k8s.io";
    private static final String RESOURCE = "resourceAttributes";
    private static final String PATH = "nonResourceAttributes";

    private final Authorizer authorizer;

    public AccessReviews(Authorizer authorizer) {
        this.authorizer = authorizer;
    }

    /**
     * About the caller itself.
     *
     * @param review not shared
     * @throws StatusException 422
     */
    public ObjectNode self(ObjectNode review, Caller caller) {
        refuse(check(review.path("spec")));
        return decide(review, caller);
    }

    /**
     * About anybody.
     *
     * @param namespace of a local review, to which it is limited; empty for none
     * @throws StatusException 400 or 422
     */
    public ObjectNode subject(ObjectNode review, String namespace) {
        JsonNode spec = review.path("spec");
        Causes causes = check(spec);
        if (spec.path("user").asText("").isEmpty() && spec.path("groups").isEmpty()) {
            causes.invalid("spec.user", "", "at least one of user or group must be specified");
        }
        if (!namespace.isEmpty()) {
            local(causes, spec, namespace);
        }
        refuse(causes);
        List<String> groups = new ArrayList<>();
        spec.path("groups").forEach(group -> groups.add(group.asText()));
        return decide(
                review,
                new Caller(spec.path("user").asText(""), spec.path("uid").asText(""), groups));
    }

    /**
     * All that the caller may do in a namespace.
     *
     * @throws StatusException 400 when none is named
     */
    public ObjectNode rules(ObjectNode review, Caller caller) {
        String namespace = review.path("spec").path("namespace").asText("");
        if (namespace.isEmpty()) {
            throw StatusException.badRequest("no namespace on request");
        }
        Holdings holdings = authorizer.holdings(caller, namespace);
        ObjectNode status = review.putObject("status");
        var resources = status.putArray("resourceRules");
        var paths = status.putArray("nonResourceRules");
        for (Rule rule : holdings.rules()) {
            rule.describe((rule.isOfPaths() ? paths : resources).addObject());
        }
        status.put("incomplete", false);
        if (!holdings.errors().isEmpty()) {
            status.put("evaluationError", holdings.error());
        }
        return review;
    }

    private ObjectNode decide(ObjectNode review, Caller caller) {
        Verdict verdict = authorizer.authorize(caller, request(review.path("spec")));
        ObjectNode status = review.putObject("status").put("allowed", verdict.allowed());
        if (!verdict.reason().isEmpty()) {
            status.put("reason", verdict.reason());
        }
        return review;
    }

    private static AccessRequest request(JsonNode spec) {
        JsonNode path = spec.path(PATH);
        if (path.isObject()) {
            return AccessRequest.path(
                    path.path("verb").asText(""), path.path("path").asText(""));
        }
        JsonNode resource = spec.path(RESOURCE);
        return new AccessRequest(
                resource.path("verb").asText(""),
                resource.path("group").asText(""),
                resource.path("resource").asText(""),
                resource.path("subresource").asText(""),
                resource.path("namespace").asText(""),
                resource.path("name").asText(""),
                "");
    }

    private static Causes check(JsonNode spec) {
        Causes causes = new Causes();
        boolean resource = spec.path(RESOURCE).isObject();
        boolean path = spec.path(PATH).isObject();
        if (resource && path) {
            causes.add(badPath(spec, "cannot be specified in combination with resourceAttributes"));
        } else if (!resource && !path) {
            causes.add(FieldCause.invalid(
                    "spec." + RESOURCE,
                    "null",
                    "exactly one of nonResourceAttributes or resourceAttributes must be specified"));
        }
        return causes;
    }

    private static void local(Causes causes, JsonNode spec, String namespace) {
        String asked = spec.path(RESOURCE).path("namespace").asText("");
        if (spec.path(PATH).isObject()) {
            causes.add(badPath(spec, "disallowed on this kind of request"));
        } else if (!asked.equals(namespace)) {
            throw StatusException.badRequest("spec.resourceAttributes.namespace must match namespace: " + namespace);
        }
    }

    private static FieldCause badPath(JsonNode spec, String why) {
        JsonNode path = spec.path(PATH);
        String printed = "{\"Path\":" + GoText.quote(path.path("path").asText("")) + ",\"Verb\":"
                + GoText.quote(path.path("verb").asText("")) + "}";
        return FieldCause.invalid("spec." + PATH, printed, why);
    }

    private static void refuse(Causes causes) {
        if (!causes.isEmpty()) {
            throw StatusException.invalid(GROUP, "", "", causes.list());
        }
    }
}

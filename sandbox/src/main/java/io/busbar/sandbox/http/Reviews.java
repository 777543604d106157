package io.busbar.sandbox.http;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.resource.Resource;
import io.busbar.sandbox.verbs.Caller;

/**
 * Questions about who somebody is and what they may do. Everybody may do everything here.
 *
 * <p>Any thread.
 */
final class Reviews {

    private Reviews() {}

    static ObjectNode answer(Resource resource, ObjectNode review, Caller caller) {
        ObjectNode status = review.putObject("status");
        switch (resource.type().kind()) {
            case "TokenReview" -> {
                status.put("authenticated", true);
                ObjectNode user = status.putObject("user").put("username", caller.username());
                ArrayNode groups = user.putArray("groups");
                caller.groups().forEach(groups::add);
            }
            case "SelfSubjectRulesReview" -> {
                ObjectNode resources = status.putArray("resourceRules").addObject();
                resources.putArray("verbs").add("*");
                resources.putArray("apiGroups").add("*");
                resources.putArray("resources").add("*");
                ObjectNode urls = status.putArray("nonResourceRules").addObject();
                urls.putArray("verbs").add("*");
                urls.putArray("nonResourceURLs").add("*");
                status.put("incomplete", false);
            }
            default -> status.put("allowed", true);
        }
        return review;
    }
}

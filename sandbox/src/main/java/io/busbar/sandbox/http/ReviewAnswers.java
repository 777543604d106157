package io.busbar.sandbox.http;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.auth.Access;
import io.busbar.sandbox.auth.AccessReviews;
import io.busbar.sandbox.auth.IdentityReviews;
import io.busbar.sandbox.request.Caller;
import io.busbar.sandbox.request.Target;
import io.busbar.sandbox.status.StatusException;

/**
 * Kinds that are posted to be answered, and never kept.
 *
 * <p>One context.
 */
final class ReviewAnswers {

    private final IdentityReviews identity;
    private final AccessReviews access;

    ReviewAnswers(Access access) {
        this.identity = new IdentityReviews(access.authenticator());
        this.access = new AccessReviews(access.authorizer());
    }

    /** @param review not shared */
    ObjectNode answer(Target target, ObjectNode review, Caller caller) {
        review.withObject("/metadata").putNull("creationTimestamp");
        return switch (target.resource().type().kind()) {
            case "TokenReview" -> identity.token(review);
            case "SelfSubjectReview" -> identity.self(review, caller);
            case "SelfSubjectAccessReview" -> access.self(review, caller);
            case "SelfSubjectRulesReview" -> access.rules(review, caller);
            case "SubjectAccessReview", "LocalSubjectAccessReview" -> access.subject(review, target.namespace());
            default -> throw StatusException.methodNotAllowed();
        };
    }
}

package io.busbar.sandbox.auth;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.request.Caller;
import io.busbar.sandbox.status.StatusException;
import java.util.ArrayList;
import java.util.List;

/**
 * Answers who somebody is: TokenReview and SelfSubjectReview.
 *
 * <p>One context.
 */
public final class IdentityReviews {

    private final Authenticator authenticator;

    public IdentityReviews(Authenticator authenticator) {
        this.authenticator = authenticator;
    }

    /**
     * @param review not shared
     * @throws StatusException 400 without a token
     */
    public ObjectNode token(ObjectNode review) {
        String token = review.path("spec").path("token").asText("");
        if (token.isEmpty()) {
            throw StatusException.badRequest("token is required for TokenReview in authentication");
        }
        List<String> audiences = new ArrayList<>();
        review.path("spec").path("audiences").forEach(audience -> audiences.add(audience.asText()));
        ObjectNode status = review.putObject("status");
        try {
            Verified verified = authenticator.verify(
                    token, audiences.isEmpty() ? List.of(ServiceAccountTokens.AUDIENCE) : audiences);
            status.put("authenticated", true);
            describe(status.putObject("user"), verified.caller());
            verified.audiences().forEach(status.putArray("audiences")::add);
        } catch (InvalidTokenException invalid) {
            status.putObject("user");
            status.put("error", invalid.getMessage());
        }
        return review;
    }

    /** @param review not shared */
    public ObjectNode self(ObjectNode review, Caller caller) {
        describe(review.putObject("status").putObject("userInfo"), caller);
        return review;
    }

    private static void describe(ObjectNode node, Caller caller) {
        node.put("username", caller.username());
        if (!caller.uid().isEmpty()) {
            node.put("uid", caller.uid());
        }
        caller.groups().forEach(node.putArray("groups")::add);
        caller.extra().forEach((key, values) -> {
            ObjectNode extra = node.get("extra") instanceof ObjectNode known ? known : node.putObject("extra");
            values.forEach(extra.putArray(key)::add);
        });
    }
}

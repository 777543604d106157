/**
 * Who calls: bearer tokens, impersonation, and the questions that clients ask about both.
 *
 * <pre>
 *   Authorization header ──▶ Authenticator ──▶ Caller ──▶ Impersonation ──▶ Caller
 *                              └──▶ ServiceAccountTokens ◀── TokenRequests (serviceaccounts/token), TokenSecrets (Secrets of that type)
 *   TokenReview, SelfSubjectReview ──▶ IdentityReviews       SubjectAccessReview, ... ──▶ AccessReviews ──▶ rbac
 *   a Pod to be made ──▶ PodAccounts ──▶ the Pod with its account's token, or 403
 * </pre>
 */
@NullMarked
package io.busbar.sandbox.auth;

import org.jspecify.annotations.NullMarked;

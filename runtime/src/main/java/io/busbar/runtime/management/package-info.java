/**
 * What an operator says of itself: /healthz and /readyz over plain HTTP, /metrics over HTTPS.
 *
 * <pre>
 *   GET /metrics ──▶ ManagementPort ──▶ AllowedCallers ──▶ ManagementServer ──▶ text
 *                                          └▶ AccessReviews ──TokenReview, SubjectAccessReview──▶ API server
 * </pre>
 */
@NullMarked
package io.busbar.runtime.management;

import org.jspecify.annotations.NullMarked;

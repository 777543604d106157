/**
 * The wire form of admission.k8s.io, v1 and v1beta1.
 *
 * <pre>
 *   body ─▶ ReviewReader ─▶ Review (an object is decoded when asked for) ─▶ rule
 *   rule ─▶ AdmissionDecision ─▶ ReviewWriter ─▶ body
 * </pre>
 */
@NullMarked
package io.busbar.admission.review;

import org.jspecify.annotations.NullMarked;

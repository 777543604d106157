/**
 * What a webhook decides: rules for the objects that users write, before the API server stores them.
 *
 * <pre>
 *   API server ──AdmissionReview──▶ server (event loops) ─▶ review ─▶ AdmissionRule ─▶ AdmissionDecision ──▶ API server
 *                                                                       ▲
 *                        Defaulter, Validator, changes of raw JSON ─▶ AdmissionRules
 *   API server ──ConversionReview──▶ server (event loops) ─▶ conversion ──▶ API server
 *   certificates ─▶ server, registration (caBundle)
 * </pre>
 */
@NullMarked
package io.busbar.admission;

import org.jspecify.annotations.NullMarked;

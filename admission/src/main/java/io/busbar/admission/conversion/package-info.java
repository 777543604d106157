/**
 * Objects of one kind in the version that a client asks for.
 *
 * <pre>
 *   ConversionReview ─▶ Conversions ─by kind─▶ Versions ─▶ Translation (spoke ─▶ hub) ─▶ Translation (hub ─▶ spoke) ─▶ answer
 *                                                              │  Converter: what an author writes
 *                                                              └  Keepsake: what the other version cannot hold, in an annotation
 *   RoundTrips: an author's test that nothing is lost
 * </pre>
 */
@NullMarked
package io.busbar.admission.conversion;

import org.jspecify.annotations.NullMarked;

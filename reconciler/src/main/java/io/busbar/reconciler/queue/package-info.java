/**
 * Which key is reconciled next, and when: the truth about what is to be done.
 *
 * <pre>
 *   add ───────────────────────▶ lanes by urgency ──▶ take ··· done
 *   addAfter ──▶ DelayedKeys ───▶ (once due)
 *   retry ──▶ RetryDelays ──▶ addAfter
 * </pre>
 *
 * Pure: one context, a clock from outside, no Vert.x.
 */
@NullMarked
package io.busbar.reconciler.queue;

import org.jspecify.annotations.NullMarked;

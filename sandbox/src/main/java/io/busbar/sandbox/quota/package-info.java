/**
 * What a namespace may use: ResourceQuotas, which count what is there, and LimitRanges, which judge what each object
 * asks for.
 *
 * <pre>
 *   a write ──▶ Limits (defaults, then min, max, ratio) ──▶ Quotas ──charges──▶ status.used
 *                                        Usage of the object ──▲        ▲
 *   what is there ──Usage of all──▶ QuotaController ──counts anew───────┘
 * </pre>
 *
 * It does not imitate: quotas of ResourceClaims, and resources that may only be used where a quota covers them.
 */
@NullMarked
package io.busbar.sandbox.quota;

import org.jspecify.annotations.NullMarked;

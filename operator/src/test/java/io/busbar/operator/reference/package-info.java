/**
 * The pages of {@code docs/reference}, made from what they are about, and compared with what is checked in.
 *
 * <pre>
 *   command line           ─▶ FlagsPage       ─┐
 *   /metrics               ─▶ MetricsPage      ├─▶ Page: compared, or written with -Dbusbar.docs.write
 *   ConditionReason fields ─▶ ConditionsPage   │
 *   MetadataKey fields     ─▶ AnnotationsPage ─┘
 * </pre>
 */
@NullMarked
package io.busbar.operator.reference;

import org.jspecify.annotations.NullMarked;

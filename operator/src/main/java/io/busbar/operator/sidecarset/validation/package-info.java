/**
 * Which SidecarSets may be stored.
 *
 * <pre>
 *   with defaults ──▶ SidecarSetValidator ─┬─ SelectorRules, StrategyRules
 *                                          ├─ ContainerRules (as in a Pod), SidecarRules (their own fields), VolumeRules
 *                                          ├─ PodMetadataRules
 *                                          └─ SetConflicts: other sets for the same Pods
 *                          each writes problems to the Field that it looks at ──▶ Verdict
 * </pre>
 */
@NullMarked
package io.busbar.operator.sidecarset.validation;

import org.jspecify.annotations.NullMarked;

/**
 * Which Pods a SidecarSet is for, and whether two SidecarSets can be for the same Pod.
 *
 * <pre>
 *   SidecarSetSpec ──▶ SidecarSetMatching ──▶ namespace? ──▶ labels? ──▶ matches
 *   LabelSelector  ──▶ CompiledSelector                  (compiled once, asked for each Pod)
 *   two selectors  ──▶ SelectorOverlap
 * </pre>
 */
@NullMarked
package io.busbar.operator.sidecarset.matching;

import org.jspecify.annotations.NullMarked;

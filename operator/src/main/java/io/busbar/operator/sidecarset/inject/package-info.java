/**
 * Injection of sidecars into new Pods.
 *
 * <pre>
 *   ResourceChanged(SidecarSet) ──▶ SidecarSetFeed ──compiles──▶ CompiledSidecarSet ──filed in──▶ SidecarSetSnapshot
 *                                                                                                    │ selecting(labels)
 *   AdmissionRequest(Pod) ──▶ PodInjection ◀──────────────────────────────────────────────────────────┘
 *                                  └──▶ PodMerge: a minimal JSON Patch, written list by list (NamedList)
 * </pre>
 */
@NullMarked
package io.busbar.operator.sidecarset.inject;

import org.jspecify.annotations.NullMarked;

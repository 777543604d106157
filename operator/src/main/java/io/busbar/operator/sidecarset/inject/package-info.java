/**
 * Injection of sidecars into new Pods.
 *
 * <pre>
 *   ResourceChanged(SidecarSet) ──▶ SidecarSetFeed ──compiles──▶ CompiledSidecarSet ──filed in──▶ SidecarSetSnapshot
 *                                                                                                    │ selecting(…)
 *   AdmissionRequest(Pod) ──▶ PodInjection ◀──────────────────────────────────────────────────────────┘
 *                                  ├──▶ Selection: who is injected, who is skipped and why
 *                                  ├──▶ VersionChoice: the present version, or a pinned one
 *                                  └──▶ PodMerge: a minimal JSON Patch, written list by list (NamedList)
 * </pre>
 */
@NullMarked
package io.busbar.operator.sidecarset.inject;

import org.jspecify.annotations.NullMarked;

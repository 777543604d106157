/**
 * The types of {@code apps.kruise.io/v1beta1}, as they are written in YAML.
 *
 * <pre>
 *   SidecarSet ─┬─ spec ─┬─ containers, initContainers   SidecarContainer: a core Container and how to inject it
 *               │        ├─ updateStrategy               which Pods follow a changed image, and when
 *               │        ├─ injectionStrategy            whether new Pods get it, in which revision
 *               │        └─ patchPodMetadata             annotations for them
 *               └─ status                                counts
 * </pre>
 */
@NullMarked
package io.busbar.operator.sidecarset.v1beta1;

import org.jspecify.annotations.NullMarked;

/**
 * The three patches that need no memory of who wrote what; the fourth is in {@code io.busbar.sandbox.apply}.
 *
 * <pre>
 *   document, patch ──▶ JsonPatch            RFC 6902, pointers of RFC 6901
 *   document, patch ──▶ MergePatch           RFC 7386
 *   document, patch, MergeKeys ──▶ StrategicMergePatch ▶ ListMerge     lists of built-in kinds merge by key
 * </pre>
 *
 * Documents and patches are never altered; the result may share parts with them. A patch that can't be applied is a
 * {@link io.busbar.sandbox.patch.PatchException} with the API server's code and words.
 */
@NullMarked
package io.busbar.sandbox.patch;

import org.jspecify.annotations.NullMarked;

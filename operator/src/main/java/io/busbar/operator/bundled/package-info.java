/**
 * Which operators are in the jar: {@link io.busbar.operator.bundled.Bundled} is the one list.
 *
 * <pre>
 *   Bundled ──┬──▶ bundle(options): what runs
 *             └──▶ part(namespace) ──▶ BundledManifests: what a cluster needs for it (the folder manifests, CRDs)
 * </pre>
 */
@NullMarked
package io.busbar.operator.bundled;

import org.jspecify.annotations.NullMarked;

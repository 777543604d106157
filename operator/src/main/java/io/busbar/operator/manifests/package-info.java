/**
 * What the bundled operators need of a cluster: declared here, one class for each, and made into manifests.
 *
 * <pre>
 *   SidecarSetPart ──▶ BundledManifests ──┬──▶ tree(): manifests/config
 *                                         └──▶ crds(), webhooks(): for an operator that registers itself
 * </pre>
 */
@NullMarked
package io.busbar.operator.manifests;

import org.jspecify.annotations.NullMarked;

/**
 * Which requests the API server asks an operator about.
 *
 * <pre>
 *   WebhookRule…, WebhookCondition… ──▶ WebhookManifest
 *   WebhookManifest… ──▶ WebhookConfigurations ──┬─ byService: for the tree
 *                                                └─ byUrl: for an operator outside the cluster
 * </pre>
 */
@NullMarked
package io.busbar.manifests.webhook;

import org.jspecify.annotations.NullMarked;

/**
 * From Java types and declarations to all that installs an operator in a cluster, in kubebuilder's layout.
 *
 * <pre>
 *   OperatorDeclaration ──▶ Generated (crd, rbac, webhook, samples) ─┐ names by Form
 *    (OperatorPart…)        Templates (all else), Dashboard ─────────┴──────┬───────────▶ config: for kustomize
 *                                                                           └▶ Rendered ─┬▶ dist: for kubectl
 *                                                                                        ├▶ chart: for Helm (Chart…)
 *                                                                                        └▶ bundle: for OLM (OlmBundle)
 *   ManifestTree: all these files ──▶ a directory, written or compared
 * </pre>
 *
 * Nothing here talks to a cluster.
 */
@NullMarked
package io.busbar.manifests;

import org.jspecify.annotations.NullMarked;

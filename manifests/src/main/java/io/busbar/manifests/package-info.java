/**
 * From Java types and declarations to all that installs an operator in a cluster, as a tree of YAML in kubebuilder's layout.
 *
 * <pre>
 *   OperatorDeclaration ─┬─ types ───────▶ crd      ──┐
 *    (OperatorPart…)     ├─ permissions ─▶ rbac       ├──▶ ManifestTree ──▶ a directory, written or compared
 *                        ├─ webhooks ────▶ webhook    │         ▲
 *                        └─ samples ──────────────────┘     templates
 * </pre>
 *
 * Nothing here talks to a cluster.
 */
@NullMarked
package io.busbar.manifests;

import org.jspecify.annotations.NullMarked;

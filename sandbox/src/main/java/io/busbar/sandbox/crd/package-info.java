/**
 * CustomResourceDefinitions and what they define.
 *
 * <pre>
 *   a definition ──▶ DefinitionRules ▶ DefinitionCheck, VersionsCheck (may it be?) ──▶ storage
 *                                        ┌────────────────────────────────────────┘
 *                                        ├──▶ CustomResources ──Resource: CustomRules, VersionedConversion──▶ Catalog
 *                                        └──▶ Establisher ──names, conditions, deletion of instances──▶ verbs
 *   an object in another version ──▶ VersionedConversion ▶ Converter (none, ConversionWebhook) ──▶ in this one
 * </pre>
 */
@NullMarked
package io.busbar.sandbox.crd;

import org.jspecify.annotations.NullMarked;

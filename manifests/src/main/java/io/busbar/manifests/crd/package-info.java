/**
 * From a custom resource's Java types to its CustomResourceDefinition.
 *
 * <pre>
 *   types ──▶ CrdGenerator ──▶ fabric8's generator ──▶ SchemaRefiner ──▶ CustomResourceDefinition
 *                                                        │
 *               annotations on fields (ListMap, ListSet, Atomic, Schemaless), CoreTypes, ScalarTypes
 * </pre>
 *
 * fabric8's annotations count as well: Default, Required, Pattern, Min, Max, Nullable, ValidationRule,
 * PreserveUnknownFields, PrinterColumn, AdditionalPrinterColumn, ShortNames, Categories, SpecReplicas and its kin.
 */
@NullMarked
package io.busbar.manifests.crd;

import org.jspecify.annotations.NullMarked;

/**
 * CustomResourceDefinitions and what they define.
 *
 * <pre>
 *   a definition is written ──▶ CustomResources ──Resource with CustomRules──▶ Catalog
 *                         └──▶ Establisher ──conditions, deletion of instances──▶ verbs
 * </pre>
 */
@NullMarked
package io.busbar.sandbox.crd;

import org.jspecify.annotations.NullMarked;

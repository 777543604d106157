/**
 * What is served: each kind in each of its versions, with what is particular to it.
 *
 * <pre>
 *   builtin.txt ──▶ BuiltIn ─────┐
 *                                ├──▶ Catalog ──Resource──▶ discovery, verbs, tables
 *   CustomResourceDefinitions ───┘
 * </pre>
 */
@NullMarked
package io.busbar.sandbox.resource;

import org.jspecify.annotations.NullMarked;

/**
 * A reconciler alone: {@link io.busbar.testkit.memory.InMemoryContext}.
 *
 * <pre>
 *   test ──put, remove, inject, holdBack──▶ InMemoryContext ──▶ reconciler
 *                                              │  (the engine's own context)
 *                 MemoryClient ──▶ DirectSandbox ──each change──▶ MemoryWatch ▶ Store ──▶ reads
 * </pre>
 */
@NullMarked
package io.busbar.testkit.memory;

import org.jspecify.annotations.NullMarked;

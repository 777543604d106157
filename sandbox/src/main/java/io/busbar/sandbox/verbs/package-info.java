/**
 * What can be done with objects, whoever asks: HTTP clients and the simulated parts of the cluster go the same way.
 *
 * <pre>
 *   Reads ◀── MemoryStore
 *   Creates, Updates, Deletes ──▶ KindRules ▶ AdmissionChain ▶ KindRules ▶ AdmissionChain ▶ MemoryStore
 *                                 decode      mutate           validate    validate
 * </pre>
 */
@NullMarked
package io.busbar.sandbox.verbs;

import org.jspecify.annotations.NullMarked;

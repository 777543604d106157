/**
 * Lists and watches, kept going.
 *
 * <pre>
 *   Reflector ──ApiRequests──▶ Exchange ══▶ API server
 *     State ▲                    │ parses and prepares where the bytes arrive
 *           └── context ◀ Arrival┴ Ending ──▶ RetryPolicy: which State next, when?
 *       │ Liveness: silent? · Outage: told the people?
 *       ▼
 *   Progress: seen what, go on where? ──▶ Sink: put, remove, retain
 * </pre>
 */
@NullMarked
package io.busbar.watcher.reflect;

import org.jspecify.annotations.NullMarked;

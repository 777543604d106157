/**
 * Lists and watches, kept going.
 *
 * <pre>
 *   Reflector ──ApiRequests──▶ Exchange ══▶ API server
 *       ▲                        │ parses and prepares where the bytes arrive
 *       └── context ◀── Arrival ─┘
 *       │ Liveness: silent? · Backoff: when again? · Outage: told the people?
 *       ▼
 *   Progress: seen what, go on where? ──▶ Sink: put, remove, retain
 * </pre>
 */
@NullMarked
package io.busbar.watcher.reflect;

import org.jspecify.annotations.NullMarked;

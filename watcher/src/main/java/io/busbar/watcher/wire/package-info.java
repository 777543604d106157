/**
 * What the API server's lists and watches look like on the wire.
 *
 * <pre>
 *   bytes, as they come (▶ Gunzip) ──▶ ResponseParser ──tokens──▶ ObjectCopier (keeps what FieldTree says) ──▶ RawObject ──▶ Signal
 * </pre>
 *
 * The parsing costs microseconds for each object, and runs on whatever thread brings the bytes.
 */
@NullMarked
package io.busbar.watcher.wire;

import org.jspecify.annotations.NullMarked;

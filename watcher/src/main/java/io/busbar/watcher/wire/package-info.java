/**
 * What the API server's lists and watches look like on the wire.
 *
 * <pre>
 *   bytes, as they come (▶ Gunzip) ──▶ ResponseParser ──objects──▶ ObjectCopier (keeps what FieldTree says) ──▶ RawObject ──▶ Signal
 *                                            └──what is around them──▶ Facts
 * </pre>
 *
 * The parsing costs microseconds for each object, and runs on whatever thread brings the bytes.
 */
@NullMarked
package io.busbar.watcher.wire;

import org.jspecify.annotations.NullMarked;

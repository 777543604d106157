/**
 * What outlives a sandbox: a folder with a journal of all changes, and who the server is.
 *
 * <pre>
 *   MemoryStore ──StoreEvent──▶ Journal ──▶ journal-N     a record for each change, written before the change is made
 *                                  └──▶ snapshot-N        all objects as they were when journal-N began; made when the journal has grown
 *   start: DataDirectory ──▶ snapshot-N, journal-N, ... ──Past──▶ MemoryStore        identity.json: token, keys, certificates
 * </pre>
 *
 * Whatever a client was told is kept when the process dies, at any moment: each record has reached the operating system
 * by then, and a torn last one belongs to a request that nobody got an answer to. When the machine itself dies, the
 * changes of its last second may be lost.
 *
 * <p>Why not a snapshot at close: a sandbox that is killed, or that dies in the middle of a session, never closes, and
 * would have lost all that it had answered. A record costs one short write, a snapshot of everything as much as there
 * is.
 */
@NullMarked
package io.busbar.sandbox.journal;

import org.jspecify.annotations.NullMarked;

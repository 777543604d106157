/**
 * Backups as objects of S3. This runs in the Jobs of backups, in the operator's own image, and never in the operator.
 *
 * <pre>
 *   the dump (pipe.sh) ─▶ Pipe ─▶ Upload ─▶ Bucket: the object in parts, then its Manifest
 *   the load (pipe.sh) ◀─ Pipe ◀─ ObjectStream ◀─ Verified ◀─ Bucket
 *   binary logs (archive.sh) ─▶ Pipe ─▶ Transfer, BinaryLog ─▶ LogArchive: each file, and then its Segment
 *   those of MySQL (ServerLogs) ─▶ Transfer
 *   the replay (pipe.sh) ◀─ Pipe ◀─ Replay, of what LogEvents reads and Selection takes ◀─ Chain ◀─ LogArchive
 *   that of MySQL ◀─ Pipe ◀─ LogStatements ◀─ LogEvents
 * </pre>
 *
 * A backup is there when its manifest is. The manifest is written last and removed first.
 */
@NullMarked
package io.busbar.operator.mysqlcluster.s3;

import org.jspecify.annotations.NullMarked;

/**
 * The loop that the simulated parts of the cluster share.
 *
 * <pre>
 *   key ──now──▶ KeyedLoop ──▶ work, one key at a time ──▶ done | look again after a while | failed: again soon
 * </pre>
 */
@NullMarked
package io.busbar.sandbox.loop;

import org.jspecify.annotations.NullMarked;

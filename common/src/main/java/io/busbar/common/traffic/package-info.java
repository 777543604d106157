/**
 * How much is asked of an API server, and when.
 *
 * <pre>
 *   request ──▶ RequestGate ──turn──▶ API server
 *                   ▲                    │
 *                   └──── RetryAfter ◀── 429, 503
 * </pre>
 */
@NullMarked
package io.busbar.common.traffic;

import org.jspecify.annotations.NullMarked;

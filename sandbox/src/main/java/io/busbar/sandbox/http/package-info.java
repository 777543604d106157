/**
 * HTTP: requests in, JSON out.
 *
 * <pre>
 *   request ──▶ ApiServer ──▶ Discovery, health, version, OpenAPI
 *                   └──Call──▶ ResourceRoutes ──▶ verbs ──Reply──▶ Renderer ──▶ Delivery ──▶ response
 *                   └──────▶ Watches ▶ WatchStream ◀── WatchCursor; out by ChunkedSink or WebSocketSink
 * </pre>
 */
@NullMarked
package io.busbar.sandbox.http;

import org.jspecify.annotations.NullMarked;

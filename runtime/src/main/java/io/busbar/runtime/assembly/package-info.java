/**
 * Runs controllers and webhooks as one operator: what starts when, what stops when, and what it says of itself.
 *
 * <pre>
 *   start: kinds found ▶ of each bundle on its own: controllers (queues fill) ▶ watches ▶ synced ▶ webhooks ▶ registered ▶ leader ▶ workers take
 *   later: kinds of one more bundle found ▶ the same
 *   stop:  not ready ▶ webhooks drain ▶ queues stop, reconciles end ▶ lease released ▶ watches
 * </pre>
 */
@NullMarked
package io.busbar.runtime.assembly;

import org.jspecify.annotations.NullMarked;

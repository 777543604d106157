/**
 * Gives Services their addresses, and tells which Pods stand behind them.
 *
 * <pre>
 *   Service that is written ──▶ ServiceRules ▶ ServiceAddresses ──▶ cluster IP, node ports
 *   Service or its Pods ──▶ ServiceEndpoints ▶ Backends (pure) ──▶ Endpoints
 *                      └──▶ EndpointSlices ▶ Backends, Slicing (pure) ──▶ EndpointSlices
 * </pre>
 *
 * Not imitated: a network; IPv6; load balancers; slices of Endpoints that somebody else writes; topology hints.
 */
@NullMarked
package io.busbar.sandbox.kinds.service;

import org.jspecify.annotations.NullMarked;

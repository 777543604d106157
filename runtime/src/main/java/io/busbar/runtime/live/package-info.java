/**
 * The live page: what the operator does at this moment, for people who look into it.
 *
 * <pre>
 *   Controllers, Watches, ReviewLog ──(once a second, while somebody looks)──▶ Picture ──▶ Readers ──SSE──▶ page.js
 * </pre>
 */
@NullMarked
package io.busbar.runtime.live;

import org.jspecify.annotations.NullMarked;

/**
 * What a request says, once it is read: who asks ({@code Caller}), about what ({@code Target}), what for
 * ({@code AccessRequest}), and with which options.
 */
@NullMarked
package io.busbar.sandbox.request;

import org.jspecify.annotations.NullMarked;

/** Failed requests, as the API server words them: status code, reason, message, and the causes by field. */
@NullMarked
package io.busbar.sandbox.status;

import org.jspecify.annotations.NullMarked;

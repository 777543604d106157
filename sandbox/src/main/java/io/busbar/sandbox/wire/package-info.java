/**
 * Kubernetes' protocol buffers, which Go clients send for built-in kinds.
 *
 * <pre>
 *   bytes ──▶ ProtobufDecoder (envelope) ──▶ WireMessages (messages.txt: fields by number) ──▶ the same object as in JSON
 * </pre>
 *
 * Requests only: answers are JSON, which those clients accept as well.
 */
@NullMarked
package io.busbar.sandbox.wire;

import org.jspecify.annotations.NullMarked;

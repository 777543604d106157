/**
 * What objects of built-in kinds are made of: their fields and types, from the list that protocol buffers are read by.
 *
 * <pre>
 *   decoding ──▶ ModelType ──▶ WireMessages (messages.txt)          unknown fields dropped, wrong types refused
 * </pre>
 */
@NullMarked
package io.busbar.sandbox.model;

import org.jspecify.annotations.NullMarked;

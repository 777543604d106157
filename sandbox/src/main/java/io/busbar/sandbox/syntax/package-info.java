/**
 * How the API server spells: the syntax of names and labels, and values as its messages show them.
 *
 * <pre>
 *   a name, a key, a value ──▶ Names ──▶ nothing, or what the API server says of it
 *   a prefix ──▶ GeneratedNames ──▶ a name that chance chose
 *   any value ──▶ GoText ──▶ the text that Go's fmt makes of it, for a message
 * </pre>
 */
@NullMarked
package io.busbar.sandbox.syntax;

import org.jspecify.annotations.NullMarked;

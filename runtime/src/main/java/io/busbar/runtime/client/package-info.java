/**
 * The client of the API server: its requests are measured, traced, kept to a rate, repeated where that is safe, and
 * held back from who does not lead.
 */
@NullMarked
package io.busbar.runtime.client;

import org.jspecify.annotations.NullMarked;

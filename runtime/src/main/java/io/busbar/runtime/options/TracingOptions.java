package io.busbar.runtime.options;

import java.net.URI;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Where traces go, and how many. What is not said here is what OpenTelemetry's own variables of the environment say.
 *
 * <p>Immutable.
 *
 * @param endpoint of a collector, by OTLP over HTTP, without the path for traces
 * @param samplingRatio the part of those traces that begin here which is kept, from 0 to 1
 */
public record TracingOptions(Optional<URI> endpoint, OptionalDouble samplingRatio) {}

package io.busbar.common.bus;

import io.busbar.common.ObjectKey;

/** Asks a controller to look at one of its primaries. Immutable. */
public record ReconcileRequest(ObjectKey key, Reason reason) {}

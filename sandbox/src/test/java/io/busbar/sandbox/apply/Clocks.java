package io.busbar.sandbox.apply;

import java.time.Instant;

final class Clocks {

    static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    static final Instant LATER = Instant.parse("2026-01-01T00:01:00Z");

    private Clocks() {}
}

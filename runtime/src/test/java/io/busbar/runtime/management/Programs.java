package io.busbar.runtime.management;

import io.busbar.runtime.process.Program;
import java.time.Instant;
import java.util.Map;

/** What servers under test say of themselves. */
public final class Programs {

    private Programs() {}

    public static Program any() {
        return new Program(
                "shop", "1.2.0", Instant.parse("2024-10-06T21:03:43.5Z"), Map.of("zone", "", "address", ":1"));
    }
}

package io.busbar.runtime.process;

import java.time.Instant;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * What people may ask a running operator about itself.
 *
 * <p>Immutable.
 *
 * @param name of the operator
 * @param started when this process began to run it
 * @param flags with the values they have, given or by default, by their names without dashes, in order; without
 *     secrets; empty where no command line started it
 */
public record Program(String name, String version, Instant started, Map<String, String> flags) {

    public Program {
        flags = Collections.unmodifiableMap(new TreeMap<>(flags));
    }
}

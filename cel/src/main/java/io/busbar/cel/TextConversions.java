package io.busbar.cel;

import dev.cel.runtime.CelFunctionBinding;
import dev.cel.runtime.CelStandardFunctions;
import dev.cel.runtime.standard.StringFunction.StringOverload;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;

/**
 * {@code string} of doubles, durations and timestamps, of which CEL for Java would make texts as Java does, and not as
 * Go.
 *
 * <p>Any thread.
 */
final class TextConversions {

    private static final Set<StringOverload> REPLACED = Set.of(
            StringOverload.DOUBLE_TO_STRING, StringOverload.DURATION_TO_STRING, StringOverload.TIMESTAMP_TO_STRING);

    private TextConversions() {}

    /** CEL's own functions without those. */
    static CelStandardFunctions standardFunctions() {
        return CelStandardFunctions.newBuilder()
                .filterFunctions((function, overload) ->
                        !(overload instanceof StringOverload conversion && REPLACED.contains(conversion)))
                .build();
    }

    static void addTo(KubernetesLibrary overloads) {
        overloads.bind("string", CelFunctionBinding.from("double_to_string", Double.class, GoValues::text));
        overloads.bind("string", CelFunctionBinding.from("duration_to_string", Duration.class, GoValues::seconds));
        overloads.bind("string", CelFunctionBinding.from("timestamp_to_string", Instant.class, GoValues::text));
    }
}

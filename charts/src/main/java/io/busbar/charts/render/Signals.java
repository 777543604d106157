package io.busbar.charts.render;

import com.sun.jna.Function;
import com.sun.jna.Memory;
import com.sun.jna.NativeLibrary;
import com.sun.jna.Platform;
import com.sun.jna.Pointer;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How the process answers SIGINT, SIGTERM and SIGQUIT. Helm's library handles these itself from its first rendering on,
 * once, so that none would end the process, or make the virtual machine tell of its threads, any more. What was set
 * before is set again.
 *
 * <p>Any thread.
 */
final class Signals {

    private static final int[] TAKEN = {2, 3, 15};
    /** More than a struct sigaction has anywhere. */
    private static final int BYTES = 512;

    private final Map<Integer, Memory> before = new LinkedHashMap<>();

    private Signals() {}

    /** Reads how signals are handled now. */
    static Signals read() {
        Signals signals = new Signals();
        if (!Platform.isWindows()) {
            for (int signal : TAKEN) {
                Memory action = new Memory(BYTES);
                sigaction(signal, Pointer.NULL, action);
                signals.before.put(signal, action);
            }
        }
        return signals;
    }

    /** Has them handled as they were when this was read. */
    void restore() {
        before.forEach((signal, action) -> sigaction(signal, action, Pointer.NULL));
    }

    private static void sigaction(int signal, Pointer now, Pointer before) {
        Function call = NativeLibrary.getProcess().getFunction("sigaction");
        int failed = call.invokeInt(new Object[] {signal, now, before});
        if (failed != 0) {
            throw new IllegalStateException("signal " + signal + " cannot be handled: sigaction answers " + failed);
        }
    }
}

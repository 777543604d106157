package io.busbar.runtime.options;

/**
 * Where a server listens.
 *
 * <p>Immutable.
 *
 * @param port 0 lets the system choose
 * @param enabled false for no server at all
 */
public record BindAddress(String host, int port, boolean enabled) {

    /** No server. */
    public static BindAddress off() {
        return new BindAddress("", 0, false);
    }

    /** A server for this machine alone, on a port that the system chooses. */
    public static BindAddress loopback() {
        return new BindAddress("127.0.0.1", 0, true);
    }

    /** As its flag has it. */
    @Override
    public String toString() {
        return enabled ? host + ":" + port : "0";
    }
}

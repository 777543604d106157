package io.busbar.sandbox.bench;

/**
 * What a server did under load.
 *
 * @param coldCreatesPerSecond in its first round
 * @param clientMicros of CPU that the client itself took for a create and its event
 * @param serverMicros of CPU that the server took for them; zero when it is not known
 */
record Figures(
        String server,
        double coldCreatesPerSecond,
        double createsPerSecond,
        double clientMicros,
        double serverMicros,
        double listMillis,
        double fannedOutPerSecond) {

    static void print(Figures sandbox, Figures other) {
        System.out.printf(
                "sandbox / %-5s creates %5.1fx, list %5.1fx, events to 50 watches %5.1fx%n",
                other.server(),
                sandbox.createsPerSecond() / other.createsPerSecond(),
                other.listMillis() / sandbox.listMillis(),
                sandbox.fannedOutPerSecond() / other.fannedOutPerSecond());
    }

    @Override
    public String toString() {
        return ("%-8s %,8.0f creates/s with a watch on all (%,.0f at first; %.0f us of CPU each for the client, %.0f for the server);"
                        + " list of 5,000 in %,7.1f ms; %,9.0f events/s to 50 watches")
                .formatted(
                        server,
                        createsPerSecond,
                        coldCreatesPerSecond,
                        clientMicros,
                        serverMicros,
                        listMillis,
                        fannedOutPerSecond);
    }
}

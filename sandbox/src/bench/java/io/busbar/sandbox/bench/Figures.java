package io.busbar.sandbox.bench;

/** What a server did under load. */
record Figures(String server, double createsPerSecond, double listMillis, double fannedOutPerSecond) {

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
        return "%-8s %,8.0f creates/s with a watch on all; list of 5,000 in %,7.1f ms; %,9.0f events/s to 50 watches"
                .formatted(server, createsPerSecond, listMillis, fannedOutPerSecond);
    }
}

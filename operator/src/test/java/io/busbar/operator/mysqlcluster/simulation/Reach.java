package io.busbar.operator.mysqlcluster.simulation;

/** Which servers an operator gets through to. Any thread. */
interface Reach {

    Reach ALL = new Reach() {

        @Override
        public boolean gets(SimulatedServer server) {
            return true;
        }

        @Override
        public boolean hears(SimulatedServer server) {
            return true;
        }
    };

    /** Whether what it says arrives. */
    boolean gets(SimulatedServer server);

    /** Whether an answer arrives. */
    boolean hears(SimulatedServer server);
}

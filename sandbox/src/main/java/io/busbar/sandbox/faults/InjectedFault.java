package io.busbar.sandbox.faults;

/** A fault that is about to happen, or has. Any thread. */
public interface InjectedFault {

    /** How many requests it has happened to. */
    int hits();

    /** It happens no more. */
    void remove();
}

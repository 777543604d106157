package io.busbar.sandbox.rules;

/** Looks at one place, and tells the place what is wrong there. Any thread. */
@FunctionalInterface
public interface Check {

    void check(Place place);
}

package io.busbar.testkit;

/** Travels with the failure of a test, as something suppressed, to wherever that is shown. Immutable. */
final class WhatHappened extends Throwable {

    private static final long serialVersionUID = 1;

    WhatHappened(String report) {
        super(report, null, false, false);
    }
}

package io.busbar.operator.mysqlcluster.observe;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

/**
 * Goes on evenly whoever sets the time of the machine, and so tells how much time has passed since something that it
 * told itself; it does not tell what time it is. Any thread.
 */
public final class SteadyClock extends Clock {

    private final Instant begin = Instant.now();
    private final long ticksAtBegin = System.nanoTime();

    @Override
    public Instant instant() {
        return begin.plusNanos(System.nanoTime() - ticksAtBegin);
    }

    @Override
    public ZoneId getZone() {
        return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
        return this;
    }
}

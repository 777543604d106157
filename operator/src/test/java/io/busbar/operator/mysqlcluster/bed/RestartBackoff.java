package io.busbar.operator.mysqlcluster.bed;

import java.time.Duration;

/** How long a container that has ended waits: shorter than with a kubelet, where it is 10 s to 5 min. One thread. */
final class RestartBackoff {

    private static final Duration FIRST = Duration.ofMillis(500);
    private static final Duration LONGEST = Duration.ofSeconds(8);
    private static final Duration STABLE = Duration.ofSeconds(10);

    private Duration next = FIRST;

    /** @param ran how long the container has run; after a while all is forgiven */
    Duration next(Duration ran) {
        Duration wait = ran.compareTo(STABLE) > 0 ? FIRST : next;
        Duration doubled = wait.multipliedBy(2);
        next = doubled.compareTo(LONGEST) > 0 ? LONGEST : doubled;
        return wait;
    }
}

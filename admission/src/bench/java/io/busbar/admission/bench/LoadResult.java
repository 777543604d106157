package io.busbar.admission.bench;

import java.time.Duration;
import java.util.Arrays;

/**
 * What one round of load has shown.
 *
 * @param cpu of the server during the round
 * @param latencies in nanoseconds, ascending
 */
public record LoadResult(Duration took, Duration cpu, long[] latencies) {

    public LoadResult {
        Arrays.sort(latencies);
    }

    public double perSecond() {
        return latencies.length / seconds(took);
    }

    public double percentileMillis(double percentile) {
        int at = (int) Math.ceil(percentile / 100 * latencies.length) - 1;
        return latencies[Math.max(0, at)] / 1e6;
    }

    public double cpuSecondsPer10k() {
        return seconds(cpu) * 10_000 / latencies.length;
    }

    private static double seconds(Duration duration) {
        return duration.toNanos() / 1e9;
    }
}

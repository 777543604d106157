package io.busbar.sandbox.http;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * The latest requests: a ring that forgets the oldest.
 *
 * <p>Read on any thread, written on one context.
 */
public final class RequestLog {

    private static final int KEPT = 256;

    private final AtomicReferenceArray<ApiRequest> ring = new AtomicReferenceArray<>(KEPT);
    private final InstantSource clock;
    private volatile long count;

    public RequestLog(InstantSource clock) {
        this.clock = clock;
    }

    /** Oldest first. */
    public List<ApiRequest> latest() {
        List<ApiRequest> latest = new ArrayList<>();
        long end = count;
        for (long position = Math.max(0, end - KEPT); position < end; position++) {
            latest.add(ring.get((int) (position % KEPT)));
        }
        return latest;
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // One writer.
    void answered(Call call, int status) {
        ring.set(
                (int) (count % KEPT),
                new ApiRequest(
                        clock.instant(),
                        call.method().name(),
                        call.uri(),
                        status,
                        call.header("User-Agent"),
                        call.id()));
        count++;
    }
}

package io.busbar.testkit.builds;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** Repositories, as a map. Any thread. */
final class Git {

    /** The commit at the head of each, by URL. */
    static final Map<String, String> HEADS = new ConcurrentHashMap<>();

    private Git() {}

    static Optional<String> head(String url) {
        return Optional.ofNullable(HEADS.get(url));
    }
}

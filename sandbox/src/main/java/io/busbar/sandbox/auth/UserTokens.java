package io.busbar.sandbox.auth;

import io.busbar.sandbox.request.Caller;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The tokens of users that somebody asked for, as a real server's token file has them.
 *
 * <p>Any thread.
 */
public final class UserTokens {

    private final Map<String, Caller> callers = new ConcurrentHashMap<>();

    /** Makes a token by which one is this user. */
    public String add(String user, List<String> groups) {
        if (user.isBlank()) {
            throw new IllegalArgumentException("a user has a name, not '" + user + "'");
        }
        List<String> all = new ArrayList<>(groups);
        all.add("system:authenticated");
        String token = "user-" + UUID.randomUUID();
        callers.put(token, new Caller(user, "", List.copyOf(all)));
        return token;
    }

    @Nullable
    Caller of(String token) {
        return callers.get(token);
    }
}

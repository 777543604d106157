package io.busbar.operator.guestbook.v1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Size;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a Guestbook's author wants. Everything may be left out.
 *
 * <p>Immutable.
 *
 * @param foo an example of a field; without effect
 * @param size how many frontends there are
 * @param configMapName a ConfigMap whose entries the frontends get as variables, if it is there when they start
 * @param type what the guests leave; the frontends get it as the variable GUESTBOOK_TYPE
 * @param frontendImage image of the frontends, in place of the classic one
 * @param leaderImage image of the Redis that is written to
 * @param followerImage image of the Redis servers that are read from
 * @param followers how many Redis servers are read from
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonIgnoreProperties(ignoreUnknown = true)
public record GuestbookSpec(
        @Nullable String foo,
        @Nullable @Default("3") @Min(1) @Max(10) Integer size,
        @Nullable @Size(min = 1, max = 15) String configMapName,
        @Nullable GuestbookType type,
        @Nullable String frontendImage,
        @Nullable String leaderImage,
        @Nullable String followerImage,
        @Nullable @Default("2") @Min(0) Integer followers) {

    /** What an object without a spec stands for. */
    public static GuestbookSpec empty() {
        return new GuestbookSpec(null, null, null, null, null, null, null, null);
    }

    /** As many as is said, or as the schema has it. */
    public int frontendReplicas() {
        return Objects.requireNonNullElse(size, 3);
    }

    /** As many as is said, or as the schema has it. */
    public int followerReplicas() {
        return Objects.requireNonNullElse(followers, 2);
    }
}

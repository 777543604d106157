package io.busbar.reconciler.shard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.busbar.reconciler.shard.ShardMap.Member;
import io.busbar.reconciler.shard.ShardMap.Told;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ShardMapTest {

    private static final ShardMap MAP = new ShardMap(
            7,
            List.of(new Member("a", "6d4", 3, false), new Member("b", "", 1, true)),
            List.of("a", "a", "b", "", "a", "b", "b", "b"));

    @Test
    void is_text_that_people_can_read() {
        assertThat(MAP.text())
                .isEqualTo("{\"generation\":7,\"buckets\":8,\"members\":["
                        + "{\"name\":\"a\",\"template\":\"6d4\",\"epoch\":3,\"holds\":\"0-1,4\"},"
                        + "{\"name\":\"b\",\"template\":\"\",\"epoch\":1,\"leaves\":true,\"holds\":\"2,5-7\"}]}");
    }

    @Test
    void tells_what_was_written_by_who_gave_buckets_away() {
        ShardMap given = new ShardMap(
                8,
                MAP.members(),
                MAP.holders(),
                MAP.heirs(),
                new Told(Map.of(0, 6L, 1, 6L, 7, 5L), Map.of("pods", "99", "statefulsets.apps", "101")));
        assertThat(given.text())
                .endsWith(",\"toldSince\":{\"5\":\"7\",\"6\":\"0-1\"},"
                        + "\"written\":{\"pods\":\"99\",\"statefulsets.apps\":\"101\"}}");
        assertThat(ShardMap.parse(given.text())).isEqualTo(given);
    }

    @Test
    void is_read_as_it_was_written() {
        assertThat(ShardMap.parse(MAP.text())).isEqualTo(MAP);
        assertThat(ShardMap.parse(ShardMap.empty(64).text())).isEqualTo(ShardMap.empty(64));
    }

    @Test
    void what_is_no_map_is_refused() {
        for (String text : List.of("", "{", "{\"buckets\":3}", "{\"buckets\":4,\"members\":[{\"holds\":\"2-9\"}]}")) {
            assertThatIllegalArgumentException().isThrownBy(() -> ShardMap.parse(text));
        }
    }

    @Test
    void a_bucket_is_the_top_bits_of_the_hash_that_api_servers_use() {
        assertThat(Buckets.of("foobar", 256)).isEqualTo(0x85);
        assertThat(Buckets.of("foobar", 64)).isEqualTo(0x85 >> 2);
        assertThat(Buckets.of("foobar", 2)).isEqualTo(1);
    }
}

package io.busbar.runtime.flags;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.busbar.common.ObjectKey;
import io.busbar.common.configuration.InvalidConfigurationException;
import io.busbar.reconciler.shard.ShardOptions;
import io.busbar.runtime.options.OperatorOptions;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ShardFlagsTest {

    @Test
    void nothing_is_shared_unless_asked_for() {
        assertThat(options("--leader-elect").shards()).isEmpty();
        assertThat(options("--shard-buckets=128").shards()).isEmpty();
    }

    @Test
    void the_lease_and_the_times_are_those_of_the_leader_election() {
        OperatorOptions options = options(
                "--shard",
                "--shard-buckets=256",
                "--shard-template=6d4",
                "--leader-election-id=lease",
                "--leader-election-namespace=ns",
                "--leader-election-lease-duration=30s");

        assertThat(options.leaderElection()).isEmpty();
        ShardOptions shards = options.shards().orElseThrow();
        assertThat(shards.buckets()).isEqualTo(256);
        assertThat(shards.template()).isEqualTo("6d4");
        assertThat(shards.election().lease()).isEqualTo(ObjectKey.of("ns", "lease"));
        assertThat(shards.election().leaseDuration()).isEqualTo(Duration.ofSeconds(30));
    }

    @Test
    void what_does_not_go_together_is_told_all_at_once() {
        assertThatThrownBy(() -> options("--shard", "--leader-elect", "--shard-buckets=60"))
                .isInstanceOf(InvalidConfigurationException.class)
                .hasMessageContaining("--shard: 'true' is not allowed; allowed: only without --leader-elect")
                .hasMessageContaining("--shard-buckets: '60' is not allowed; allowed: a power of two from 2 to 1024");
        assertThatThrownBy(() -> options("--shard", "--no-lease"))
                .isInstanceOf(InvalidConfigurationException.class)
                .hasMessageContaining("--shard: 'true' is not allowed; allowed: only without --no-lease");
        assertThatThrownBy(() -> options("--shard", "--take-over"))
                .isInstanceOf(InvalidConfigurationException.class)
                .hasMessageContaining("--shard: 'true' is not allowed; allowed: only without --take-over");
    }

    private static OperatorOptions options(String... words) {
        return ParsedFlags.of(words).flags().options("shop", Optional.empty());
    }
}

package io.busbar.operator.mysqlcluster.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.busbar.operator.mysqlcluster.sql.MariaDbPosition.Gtid;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/**
 * Positions held against the whole logs that they stand for: two domains, six servers, each transaction with the next
 * number.
 */
class MariaDbPositionPropertyTest {

    private static final String SEED = "20240607";

    @Provide
    Arbitrary<List<Integer>> writers() {
        return Arbitraries.integers().between(0, 11).list().ofMaxSize(12);
    }

    @Provide
    Arbitrary<List<Integer>> someWriters() {
        return Arbitraries.integers().between(0, 5).list().ofMaxSize(6);
    }

    @Provide
    Arbitrary<List<Integer>> otherWriters() {
        return Arbitraries.integers().between(6, 11).list().ofMaxSize(6);
    }

    @SafeVarargs
    private static List<Gtid> log(List<Integer>... parts) {
        List<Gtid> log = new ArrayList<>();
        long[] written = new long[2];
        for (List<Integer> part : parts) {
            for (int writer : part) {
                int domain = writer % 2;
                log.add(new Gtid(domain, 100 + writer / 2, ++written[domain]));
            }
        }
        return log;
    }

    @SafeVarargs
    private static MariaDbPosition state(List<Integer>... parts) {
        return new MariaDbPosition(log(parts));
    }

    @Property(seed = SEED)
    void one_contains_another_when_its_log_does(
            @ForAll("writers") List<Integer> common,
            @ForAll("someWriters") List<Integer> some,
            @ForAll("otherWriters") List<Integer> others) {
        boolean contains = new HashSet<>(log(common, some)).containsAll(log(common, others));
        assertThat(state(common, some).contains(state(common, others))).isEqualTo(contains);
        assertThat(state(common, some).contains(state(common))).isTrue();
    }

    @Property(seed = SEED)
    void something_is_left_without_another_when_that_does_not_have_all(
            @ForAll("writers") List<Integer> common,
            @ForAll("someWriters") List<Integer> some,
            @ForAll("otherWriters") List<Integer> others) {
        MariaDbPosition one = state(common, some);
        MariaDbPosition other = state(common, others);
        assertThat(one.minus(other).isEmpty()).isEqualTo(other.contains(one));
        assertThat(one.contains(one.minus(other))).isTrue();
        assertThat(other.and(one.minus(other)).contains(one)).isTrue();
        assertThat(one.minus(other).notBy("101").last()).noneMatch(gtid -> gtid.server() == 101);
    }

    @Property(seed = SEED)
    void a_copy_that_was_seeded_knows_its_past_once_it_has_caught_up(
            @ForAll("writers") List<Integer> dumped, @ForAll("writers") List<Integer> meanwhile) {
        MariaDbPosition dump = state(dumped).latest();
        MariaDbPosition seeded = state(dumped, meanwhile).upTo(dump);

        assertThat(state(dumped).contains(seeded)).isTrue();
        assertThat(seeded.latest()).isEqualTo(dump);
        List<Gtid> received = log(dumped, meanwhile).subList(dumped.size(), dumped.size() + meanwhile.size());
        assertThat(seeded.and(new MariaDbPosition(received))).isEqualTo(state(dumped, meanwhile));
    }

    @Property(seed = SEED)
    void own_ones_are_what_the_server_wrote_after_what_came(
            @ForAll("otherWriters") List<Integer> came, @ForAll("someWriters") List<Integer> written) {
        MariaDbPosition applied = state(came).latest();
        List<Gtid> own = log(came, written).stream()
                .skip(came.size())
                .filter(gtid -> gtid.server() == 101)
                .toList();
        assertThat(state(came, written).own(101, applied)).isEqualTo(new MariaDbPosition(own));
    }

    @Property(seed = SEED)
    void the_number_of_transactions_is_that_of_the_log(@ForAll("writers") List<Integer> writers) {
        assertThat(state(writers).transactions()).isEqualTo(writers.size());
        assertThat(state(writers).isEmpty()).isEqualTo(writers.isEmpty());
    }

    @Property(seed = SEED)
    void the_text_says_all(@ForAll("writers") List<Integer> writers) {
        MariaDbPosition state = state(writers);
        assertThat(Position.of(ServerState.Flavor.MARIADB, state.text())).isEqualTo(state);
    }

    @Example
    void the_latest_of_a_domain_comes_last_as_servers_write_it() {
        assertThat(MariaDbPosition.parse("0-102-60, 0-101-56,1-7-3").text()).isEqualTo("0-101-56,0-102-60,1-7-3");
        assertThat(MariaDbPosition.parse("0-101-56,0-102-60,1-7-3").latest().text())
                .isEqualTo("0-102-60,1-7-3");
    }

    @Example
    void what_a_lone_replica_wrote_is_not_among_what_its_source_wrote_instead() {
        MariaDbPosition source = MariaDbPosition.parse("0-100-20");
        MariaDbPosition diverged = MariaDbPosition.parse("0-100-10,0-101-11");
        assertThat(source.contains(diverged)).isFalse();
        assertThat(source.contains(diverged.own(101, MariaDbPosition.parse("0-100-10"))))
                .isFalse();
    }

    @Example
    void other_texts_and_other_products_are_refused() {
        for (String text : List.of(
                "0-1", "a-1-2", "0-1-2-3", "3e11fa47-71ca-11e1-9e33-c80aa9429562:1-5", "0-1-99999999999999999999")) {
            assertThatThrownBy(() -> MariaDbPosition.parse(text))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(text);
        }
        assertThatThrownBy(() -> MariaDbPosition.parse("0-1-2").contains(MySqlPosition.parse("")))
                .isInstanceOf(IllegalArgumentException.class);
    }
}

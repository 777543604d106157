package io.busbar.operator.mysqlcluster.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/**
 * Positions held against the sets that they stand for: two servers, with and without a tag, each transaction on its
 * own.
 */
class MySqlPositionPropertyTest {

    private static final String SEED = "20240607";
    private static final String FIRST = "3e11fa47-71ca-11e1-9e33-c80aa9429562";
    private static final String SECOND = "4e11fa47-71ca-11e1-9e33-c80aa9429562";

    @Provide
    Arbitrary<Set<String>> transactions() {
        Arbitrary<String> sources = Arbitraries.of(FIRST, SECOND, FIRST + ":backup", SECOND + ":_a1");
        Arbitrary<Integer> numbers = Arbitraries.integers().between(1, 9);
        return Combinators.combine(sources, numbers)
                .as((source, number) -> source + ":" + number)
                .set()
                .ofMaxSize(20);
    }

    private static MySqlPosition position(Set<String> transactions) {
        return MySqlPosition.parse(String.join(",", transactions));
    }

    @Property(seed = SEED)
    void one_contains_another_when_its_set_does(
            @ForAll("transactions") Set<String> a, @ForAll("transactions") Set<String> b) {
        assertThat(position(a).contains(position(b))).isEqualTo(a.containsAll(b));
        Set<String> both = new HashSet<>(a);
        both.addAll(b);
        assertThat(position(a).and(position(b))).isEqualTo(position(both));
        assertThat(position(both).contains(position(a))).isTrue();
    }

    @Property(seed = SEED)
    void what_is_left_without_another_is_the_difference_of_the_sets(
            @ForAll("transactions") Set<String> a, @ForAll("transactions") Set<String> b) {
        Set<String> left = new HashSet<>(a);
        left.removeAll(b);
        assertThat(position(a).minus(position(b))).isEqualTo(position(left));
        assertThat(position(a).minus(position(b)).isEmpty())
                .isEqualTo(position(b).contains(position(a)));
    }

    @Property(seed = SEED)
    void the_number_of_transactions_is_that_of_the_set(@ForAll("transactions") Set<String> transactions) {
        assertThat(position(transactions).transactions()).isEqualTo(transactions.size());
        assertThat(position(transactions).isEmpty()).isEqualTo(transactions.isEmpty());
    }

    @Property(seed = SEED)
    void the_text_says_all(@ForAll("transactions") Set<String> transactions) {
        MySqlPosition position = position(transactions);
        assertThat(Position.of(ServerState.Flavor.MYSQL, position.text())).isEqualTo(position);
    }

    @Property(seed = SEED)
    void a_server_wrote_what_has_its_name(@ForAll("transactions") Set<String> transactions) {
        Set<String> its =
                transactions.stream().filter(gtid -> gtid.startsWith(FIRST)).collect(Collectors.toSet());
        assertThat(position(transactions).by(FIRST)).isEqualTo(position(its));
        assertThat(position(transactions).notBy(FIRST))
                .isEqualTo(position(transactions).minus(position(its)));
    }

    @Example
    void is_written_as_servers_write_it() {
        String text = FIRST.toUpperCase(Locale.ROOT) + ":6-7:1-5:9:backup:2,\n" + SECOND + ":3," + FIRST + ":backup:3";
        assertThat(MySqlPosition.parse(text).text()).isEqualTo(FIRST + ":1-7:9:backup:2-3," + SECOND + ":3");
        assertThat(MySqlPosition.parse(text)
                        .upTo(MySqlPosition.parse(SECOND + ":1"))
                        .text())
                .isEqualTo(SECOND + ":1");
    }

    @Example
    void other_texts_and_other_products_are_refused() {
        for (String text :
                List.of("0-101-5", FIRST, FIRST + ":0", FIRST + ":5-4", FIRST + ":a-b", FIRST + ":", "x:1")) {
            assertThatThrownBy(() -> MySqlPosition.parse(text)).isInstanceOf(IllegalArgumentException.class);
        }
        assertThatThrownBy(() -> MySqlPosition.parse("").contains(MariaDbPosition.parse("")))
                .isInstanceOf(IllegalArgumentException.class);
    }
}

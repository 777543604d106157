package io.busbar.operator.mysqlcluster.decide;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.operator.mysqlcluster.sql.Position;
import io.busbar.operator.mysqlcluster.sql.ServerState.Flavor;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Members with sets of transactions by three servers, each on its own. */
class RankingPropertyTest {

    private static final String SEED = "20261123";
    private static final String FIRST = "3e11fa47-71ca-11e1-9e33-c80aa9429562";
    private static final String SECOND = "4e11fa47-71ca-11e1-9e33-c80aa9429562";
    private static final String THIRD = "5e11fa47-71ca-11e1-9e33-c80aa9429562";

    @Provide
    Arbitrary<List<Set<String>>> members() {
        Arbitrary<String> transactions = Arbitraries.of(FIRST, SECOND, THIRD)
                .flatMap(server -> Arbitraries.integers().between(1, 3).map(number -> server + ":" + number));
        return transactions.set().ofMaxSize(6).list().ofMaxSize(4);
    }

    private static List<Ranking.Entry> entries(List<Set<String>> sets) {
        List<Ranking.Entry> entries = new ArrayList<>();
        for (Set<String> set : sets) {
            String gtids = set.stream().sorted().collect(Collectors.joining(","));
            entries.add(new Ranking.Entry("db-" + entries.size(), Position.of(Flavor.MYSQL, gtids)));
        }
        return entries;
    }

    @Property(seed = SEED)
    void one_is_chosen_when_its_set_holds_all_others_and_else_nobody(@ForAll("members") List<Set<String>> sets) {
        List<Integer> whole = new ArrayList<>();
        for (int i = 0; i < sets.size(); i++) {
            if (sets.stream().allMatch(sets.get(i)::containsAll)) {
                whole.add(i);
            }
        }
        Ranking ranking = Ranking.of(entries(sets));
        if (sets.isEmpty()) {
            assertThat(ranking).isInstanceOf(Ranking.Nobody.class);
        } else if (whole.isEmpty()) {
            assertThat(ranking).isInstanceOf(Ranking.Incomparable.class);
        } else {
            assertThat(ranking)
                    .isInstanceOfSatisfying(
                            Ranking.Most.class,
                            most -> assertThat(most.entry().name()).isEqualTo("db-" + whole.get(0)));
        }
    }

    @Property(seed = SEED)
    void of_two_that_do_not_compare_each_has_what_the_other_lacks(@ForAll("members") List<Set<String>> sets) {
        if (Ranking.of(entries(sets)) instanceof Ranking.Incomparable two) {
            Position one = two.one().history();
            Position other = two.other().history();
            assertThat(one.contains(other)).isFalse();
            assertThat(other.contains(one)).isFalse();
        }
    }

    @Example
    void as_many_transactions_of_another_server_are_not_the_same() {
        Ranking ranking =
                Ranking.of(entries(List.of(Set.of(FIRST + ":1", THIRD + ":1"), Set.of(FIRST + ":1", FIRST + ":2"))));

        assertThat(ranking)
                .isInstanceOfSatisfying(
                        Ranking.Incomparable.class,
                        two -> assertThat(two.reason())
                                .isEqualTo("only db-0 has " + THIRD + ":1, and only db-1 has " + FIRST + ":2"));
    }
}

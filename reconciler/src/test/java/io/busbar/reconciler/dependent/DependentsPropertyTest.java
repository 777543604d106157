package io.busbar.reconciler.dependent;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.reconciler.CleanupResult;
import io.busbar.reconciler.ReconcileContext;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** Graphs of any form, whose parts are slow, fail, and are switched off and on again. */
class DependentsPropertyTest {

    private final Map<String, Thing> things = new TreeMap<>();
    private final OwnedObjects context = new OwnedObjects();
    private final ConfigMap primary = new ConfigMapBuilder()
            .withNewMetadata()
            .withName("owner")
            .withNamespace("ns")
            .withFinalizers("example.com/all")
            .endMetadata()
            .build();

    @Property
    void order_is_kept_whatever_happens_and_all_is_there_in_the_end(
            @ForAll long seed, @ForAll @IntRange(min = 1, max = 8) int size) throws Exception {
        Random random = new Random(seed);
        Dependents<ConfigMap> graph = graph(size, random);

        for (int round = 0; round < 30; round++) {
            things.values().forEach(thing -> thing.trouble(random));
            graph.reconcile(primary, context);
        }
        things.values().forEach(Thing::heal);
        for (int round = 0;
                round <= 2 * size && !graph.reconcile(primary, context).isComplete();
                round++) {
            things.values().forEach(Thing::heal);
        }

        assertThat(graph.reconcile(primary, context).isComplete()).isTrue();
        assertThat(things.values())
                .allSatisfy(thing -> assertThat(thing.there).as(thing.name).isEqualTo(thing.isToBeThere()));

        CleanupResult last = graph.cleanup(primary, context);
        for (int round = 0; round < size && !last.equals(CleanupResult.done()); round++) {
            last = graph.cleanup(primary, context);
        }
        assertThat(last).isEqualTo(CleanupResult.done());
        assertThat(things.values()).noneSatisfy(thing -> assertThat(thing.there).isTrue());
    }

    private Dependents<ConfigMap> graph(int size, Random random) {
        things.clear();
        Dependents<ConfigMap> graph = Dependents.of(ConfigMap.class);
        for (int i = 0; i < size; i++) {
            List<String> before = things.keySet().stream()
                    .filter(any -> random.nextInt(3) == 0)
                    .toList();
            Thing thing = new Thing("thing-" + i, before);
            graph.addExternal(
                    thing.name,
                    thing,
                    one -> one.after(before.toArray(String[]::new))
                            .onlyIf(owner -> thing.on)
                            .readyWhen(ready -> thing.ready));
            things.put(thing.name, thing);
        }
        return graph;
    }

    /** Fails the test when it is made or taken away out of turn. */
    private final class Thing implements External<ConfigMap, String> {

        private final String name;
        private final List<String> before;
        private boolean there;
        private boolean ready;
        private boolean on = true;
        private boolean fails;

        Thing(String name, List<String> before) {
            this.name = name;
            this.before = before;
        }

        void trouble(Random random) {
            ready = there && random.nextBoolean();
            on = random.nextInt(4) > 0;
            fails = random.nextInt(4) == 0;
        }

        void heal() {
            ready = there;
            fails = false;
        }

        boolean isToBeThere() {
            return on && before.stream().map(things::get).allMatch(Thing::isToBeThere);
        }

        @Override
        public String desired(ConfigMap owner) {
            return name;
        }

        @Override
        public Optional<String> actual(ConfigMap owner, ReconcileContext<ConfigMap> any) throws IOException {
            if (fails) {
                throw new IOException(name + " cannot be reached");
            }
            return there ? Optional.of(name) : Optional.empty();
        }

        @Override
        public String create(ConfigMap owner, String desired, ReconcileContext<ConfigMap> any) {
            assertThat(isToBeThere()).as("%s is not to be there", name).isTrue();
            assertThat(allBefore(this))
                    .allSatisfy(other -> assertThat(things.get(other).there && things.get(other).ready)
                            .as("%s is ready before %s is made", other, name)
                            .isTrue());
            there = true;
            return name;
        }

        @Override
        public String update(ConfigMap owner, String desired, String actual, ReconcileContext<ConfigMap> any) {
            throw new AssertionError(name + " is as desired");
        }

        @Override
        public void delete(ConfigMap owner, String actual, ReconcileContext<ConfigMap> any) {
            assertThat(things.values())
                    .filteredOn(other -> other.before.contains(name))
                    .as("those after %s are gone", name)
                    .noneMatch(other -> other.there);
            there = false;
        }
    }

    private Set<String> allBefore(Thing thing) {
        Set<String> all = new TreeSet<>(thing.before);
        for (String name : new ArrayList<>(new HashSet<>(thing.before))) {
            all.addAll(allBefore(things.get(name)));
        }
        return all;
    }
}

package io.busbar.sandbox.apply;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.apply.ApplyResult.Applied;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ApplyPropertyTest {

    private static final List<String> NAMES = List.of("a", "b", "c");

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void applying_twice_changes_nothing_the_second_time(long seed) {
        Random random = new Random(seed);
        ObjectNode live = null;
        for (int i = 0; i < 500; i++) {
            ObjectNode config = withoutEmpty(config(random));
            String manager = "m" + random.nextInt(3);

            live = force(live, manager, config, Clocks.NOW);

            assertThat(force(live, manager, config, Clocks.LATER)).isEqualTo(live);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void a_manager_alone_has_the_object_just_as_it_applies_it(long seed) {
        Random random = new Random(seed);
        ObjectNode live = null;
        for (int i = 0; i < 500; i++) {
            ObjectNode config = config(random);

            live = force(live, "only", config, Clocks.NOW);

            ObjectNode spec = live.withObject("/spec");
            assertThat(sorted(spec)).isEqualTo(sorted(withoutEmpty(config).withObject("/spec")));
        }
    }

    private static ObjectNode force(@Nullable ObjectNode live, String manager, ObjectNode config, Instant time) {
        ApplyOptions options = new ApplyOptions(manager, true, "", "example.com/v1", time);
        return ((Applied) ServerSideApply.apply(live, config, options, ServerSideApplyTest.VERSIONS)).object();
    }

    private static ObjectNode config(Random random) {
        ObjectNode config = ServerSideApplyTest.bar("{}");
        ObjectNode spec = config.withObject("/spec");
        if (random.nextBoolean()) {
            spec.put("req", "r" + random.nextInt(2));
        }
        if (random.nextBoolean()) {
            ArrayNode uniq = spec.putArray("uniq");
            NAMES.stream().filter(name -> random.nextBoolean()).forEach(uniq::add);
        }
        if (random.nextBoolean()) {
            ObjectNode m = spec.putObject("m");
            NAMES.stream().filter(name -> random.nextBoolean()).forEach(name -> m.put(name, random.nextInt(3)));
        }
        if (random.nextBoolean()) {
            ArrayNode lm = spec.putArray("lm");
            NAMES.stream().filter(name -> random.nextBoolean()).forEach(name -> {
                ObjectNode item = lm.addObject().put("k", name);
                if (random.nextBoolean()) {
                    item.put("v", random.nextInt(3));
                }
            });
        }
        return config;
    }

    /** An empty list or map that is applied over one that held something leaves nothing to tell it by. */
    private static ObjectNode withoutEmpty(ObjectNode config) {
        config.withObject("/spec")
                .properties()
                .removeIf(field ->
                        field.getValue().isContainerNode() && field.getValue().isEmpty());
        return config;
    }

    /** Lists by key keep the order of their first coming. */
    private static ObjectNode sorted(ObjectNode spec) {
        ObjectNode sorted =
                withoutEmpty(spec.objectNode().set("spec", spec.deepCopy())).withObject("/spec");
        for (String list : List.of("uniq", "lm")) {
            if (sorted.path(list) instanceof ArrayNode array) {
                List<String> items = new ArrayList<>();
                array.forEach(item -> items.add(item.toString()));
                items.sort(null);
                sorted.put(list, String.join(",", items));
            }
        }
        return sorted;
    }
}

package io.busbar.sandbox.schema;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.RandomJson;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SchemaPropertyTest {

    private static final List<String> NAMES = List.of(
            "req", "size", "arr", "uniq", "lm", "m", "any", "pres", "emb", "def", "defnul", "nul", "one", "zzz");

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void pruning_and_defaulting_twice_is_the_same_as_once(long seed) {
        RandomJson values = new RandomJson(seed);
        for (int i = 0; i < 3_000; i++) {
            ObjectNode object = foo(values);

            ObjectNode pruned = Foo.SCHEMA.prune(object);
            ObjectNode full = Foo.SCHEMA.withDefaults(pruned);

            assertThat(Foo.SCHEMA.prune(pruned)).isEqualTo(pruned);
            assertThat(Foo.SCHEMA.withDefaults(full)).isEqualTo(full);
            assertThat(Foo.SCHEMA.prune(full)).isEqualTo(full);
            assertThat(Foo.SCHEMA.validate(full, null)).isEqualTo(Foo.SCHEMA.validate(full.deepCopy(), null));
        }
    }

    private static ObjectNode foo(RandomJson values) {
        Random random = values.random();
        ObjectNode object = Foo.of("{}");
        ObjectNode spec = object.putObject("spec");
        for (String name : NAMES) {
            if (random.nextBoolean()) {
                JsonNode value = random.nextInt(3) == 0
                        ? JsonNodeFactory.instance.arrayNode().add(values.value(2))
                        : values.value(3);
                spec.set(name, value);
            }
        }
        return object;
    }
}

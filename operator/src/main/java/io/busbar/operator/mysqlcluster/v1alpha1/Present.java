package io.busbar.operator.mysqlcluster.v1alpha1;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What JSON may leave out, as something that is there. Pure; any thread. */
final class Present {

    private Present() {}

    static <T> List<T> list(@Nullable List<T> list) {
        return list == null ? List.of() : List.copyOf(list);
    }

    /** Keeps the order. */
    static <K, V> Map<K, V> map(@Nullable Map<K, V> map) {
        return map == null ? Map.of() : Collections.unmodifiableMap(new LinkedHashMap<>(map));
    }

    static int number(@Nullable Integer number, int otherwise) {
        return number == null ? otherwise : number;
    }
}

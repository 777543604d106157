package io.busbar.operator.sidecarset.v1beta1;

import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Lists of immutable values: an absent one is empty. Any thread. */
public final class Lists {

    private Lists() {}

    public static <T> List<T> orEmpty(@Nullable List<T> list) {
        return list == null ? List.of() : Collections.unmodifiableList(list);
    }
}

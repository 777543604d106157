package io.busbar.operator.guestbook.v1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.busbar.common.condition.HasConditions;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What has come of a Guestbook.
 *
 * <p>Immutable, but for the fabric8 models within.
 *
 * @param active the oldest frontend Pod that is ready
 * @param standby the other frontend Pods that are ready, by name
 * @param readyFrontend how many frontends are ready
 * @param conditions Available, Progressing, Degraded
 * @param observedGeneration the generation that the status is for
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonIgnoreProperties(ignoreUnknown = true)
public record GuestbookStatus(
        @Nullable String active,
        List<String> standby,
        int readyFrontend,
        List<Condition> conditions,
        long observedGeneration)
        implements HasConditions {

    public GuestbookStatus {
        standby = orEmpty(standby);
        conditions = orEmpty(conditions);
    }

    private static <T> List<T> orEmpty(@Nullable List<T> list) {
        return list == null ? List.of() : Collections.unmodifiableList(list);
    }
}

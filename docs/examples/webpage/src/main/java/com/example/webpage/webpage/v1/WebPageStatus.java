package com.example.webpage.webpage.v1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.busbar.common.condition.HasConditions;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.List;

/**
 * What has come of a WebPage.
 *
 * @param conditions Available, Progressing, Degraded
 * @param observedGeneration the generation that the rest is for
 * @param url where the page is served, in the cluster
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonIgnoreProperties(ignoreUnknown = true)
public record WebPageStatus(List<Condition> conditions, long observedGeneration, String url) implements HasConditions {

    public WebPageStatus {
        conditions = conditions == null ? List.of() : List.copyOf(conditions);
    }
}

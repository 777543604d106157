package io.busbar.charts.instance;

import io.busbar.common.RecordResource;
import io.fabric8.kubernetes.api.model.Namespaced;
import java.util.Map;

/**
 * An instance of a kind that is made of a chart: its spec is the chart's values. Which kind it is, the annotations of a
 * class say that is made for it. For the thread that holds it: mutable as all of the client's models are.
 */
public abstract class ChartInstance extends RecordResource<ChartInstance, Map<String, Object>, ChartStatus>
        implements Namespaced {

    private static final long serialVersionUID = 1L;

    /** For the classes that are made. */
    protected ChartInstance() {}
}

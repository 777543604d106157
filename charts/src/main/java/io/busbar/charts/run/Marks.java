package io.busbar.charts.run;

import io.busbar.common.MetadataKey;

/** Labels, annotations and the finalizer of charts' instances and their objects. */
final class Marks {

    static final MetadataKey RELEASE = MetadataKey.label(
            "charts.busbar.io/release",
            "an object of a chart",
            "the name of the instance that it is of; without it the object is not watched");

    static final MetadataKey INSTANCE = MetadataKey.annotation(
            "charts.busbar.io/instance",
            "an object of a chart that its instance cannot own, that is not watched, or that Helm has made",
            "the instance that it is of, as KIND.GROUP/NAMESPACE/NAME; another one leaves it alone");

    static final MetadataKey RUN = MetadataKey.annotation(
            "charts.busbar.io/hook-run",
            "a hook of a chart",
            "the revision, the event, the release and the instance that it was made for");

    static final MetadataKey RENDERED = MetadataKey.annotation(
            "charts.busbar.io/rendered",
            "an object of a chart",
            "a hash of what was rendered: what is taken out of it while no operator runs makes a difference, too");

    static final MetadataKey KEEP = MetadataKey.annotation(
            "helm.sh/resource-policy",
            "an object of a chart",
            "set by the chart: \"keep\" has it stay when it is rendered no more, and when the instance goes");

    static final MetadataKey FINALIZER = MetadataKey.finalizer(
            "charts.busbar.io/finalizer",
            "an instance of a chart",
            "runs hooks that come with a deletion, and deletes what the instance cannot own");

    private Marks() {}
}

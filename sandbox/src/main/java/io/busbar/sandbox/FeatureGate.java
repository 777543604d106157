package io.busbar.sandbox;

/** What kube-apiserver has behind a gate, and a sandbox too: off unless an option says otherwise. */
public enum FeatureGate {

    /** Lists and watches of ranges of objects, by {@code shardSelector}: KEP-5866, alpha. */
    SHARDED_LIST_AND_WATCH("ShardedListAndWatch"),

    /**
     * Answers without metadata.managedFields, by {@code Accept: application/json;drop=metadata.managedFields}:
     * KEP-5958, alpha.
     */
    MANAGED_FIELDS_OPT_OUT("ManagedFieldsOptOut");

    private final String text;

    FeatureGate(String text) {
        this.text = text;
    }

    /** By the name that it has in Kubernetes. */
    @Override
    public String toString() {
        return text;
    }
}

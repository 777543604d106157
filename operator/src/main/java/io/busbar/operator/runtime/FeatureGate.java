package io.busbar.operator.runtime;

/** What can be switched on, under the names that OpenKruise gave it. */
public enum FeatureGate {
    /** SidecarSets may patch any annotation of Pods that no rule of the whitelist speaks of. */
    SidecarSetPatchPodMetadataDefaultsAllowed
}

package io.busbar.operator.sidecarset;

/** What can be switched on, under the names that OpenKruise gave it. */
enum FeatureGate {
    /** SidecarSets may patch any annotation of Pods that no rule of the whitelist speaks of. */
    SidecarSetPatchPodMetadataDefaultsAllowed
}

package io.busbar.operator.sidecarset.pod;

/** Names of annotations on injected Pods. Immutable. */
public final class PodAnnotations {

    /** All of them begin so. */
    public static final String PREFIX = "kruise.io/";

    /** Names of the sets that were injected, see {@link InjectedList}. */
    public static final String INJECTED_LIST = "kruise.io/sidecarset-injected-list";

    /** What each set was when it was injected or rolled out last, see {@link HashEntry}. */
    public static final String HASH = "kruise.io/sidecarset-hash";

    /** The same for everything but images: what cannot change in a running Pod. */
    public static final String HASH_WITHOUT_IMAGE = "kruise.io/sidecarset-hash-without-image";

    /** What ran before the last rolling update, see {@link UpdateState}. */
    public static final String UPDATE_STATE = "kruise.io/sidecarset-inplace-update-state";

    /** Which of its two containers works, for each sidecar of a hot upgrade, see {@link HotSlots}. */
    public static final String WORKING_SLOTS = "kruise.io/sidecarset-working-hotupgrade-container";

    private PodAnnotations() {}
}

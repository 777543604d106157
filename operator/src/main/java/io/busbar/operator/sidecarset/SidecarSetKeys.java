package io.busbar.operator.sidecarset;

import static io.busbar.common.MetadataKey.annotation;
import static io.busbar.common.MetadataKey.label;

import io.busbar.common.MetadataKey;
import io.busbar.operator.sidecarset.history.RevisionHistory;
import io.busbar.operator.sidecarset.inject.PodInjection;
import io.busbar.operator.sidecarset.pod.HotSlots;
import io.busbar.operator.sidecarset.pod.PodAnnotations;
import io.busbar.operator.sidecarset.v1beta1.SidecarSet;

/**
 * What the annotations and labels of sets, of injected Pods and of revisions mean. Immutable. Source: OpenKruise, but
 * for the first three.
 */
final class SidecarSetKeys {

    static final MetadataKey OPT_OUT_ANNOTATION = annotation(
            PodInjection.OPT_OUT, "a Pod", "set by you: \"false\" keeps all sets out of it when it is created");
    static final MetadataKey OPT_OUT_LABEL =
            label(PodInjection.OPT_OUT, "a Pod", "set by you: \"false\" keeps all sets out of it when it is created");
    static final MetadataKey CONTROL_PLANE =
            label(PodInjection.CONTROL_PLANE, "a Namespace", "set by you, with any value: no Pod in it gets sidecars");

    static final MetadataKey CANARY = annotation(
            SidecarSet.CANARY,
            "a SidecarSet",
            "set by you: \"true\" on a set that stands in for another for the Pods that it matches");
    static final MetadataKey BASE =
            annotation(SidecarSet.BASE, "a SidecarSet", "set by you on a canary: the set that it stands in for");
    static final MetadataKey CUSTOM_VERSION = label(
            SidecarSet.CUSTOM_VERSION,
            "a ControllerRevision, and a SidecarSet as v1alpha1",
            "set by you in spec.customVersion, or as v1alpha1 here: a version that injectionStrategy.revision may name;"
                    + " revisions inherit it");
    static final MetadataKey SET_HASH =
            annotation(SidecarSet.HASH, "a SidecarSet", "set by the defaulting webhook: a hash of the containers");
    static final MetadataKey SET_HASH_WITHOUT_IMAGE = annotation(
            SidecarSet.HASH_WITHOUT_IMAGE,
            "a SidecarSet",
            "set by the defaulting webhook: the same but for the images: what cannot change in a running Pod");
    static final MetadataKey SET_NAME = label(
            RevisionHistory.SET_NAME, "a ControllerRevision", "set by the operator: the set whose old spec it is");

    static final MetadataKey INJECTED_LIST = annotation(
            PodAnnotations.INJECTED_LIST, "an injected Pod", "set by the webhook: the names of its sets, with commas");
    static final MetadataKey POD_HASH = annotation(
            PodAnnotations.HASH,
            "an injected Pod",
            "set by the operator, JSON: what each set was when it was injected or rolled out last");
    static final MetadataKey POD_HASH_WITHOUT_IMAGE = annotation(
            PodAnnotations.HASH_WITHOUT_IMAGE,
            "an injected Pod",
            "set by the operator, JSON: the same for everything but images");
    static final MetadataKey UPDATE_STATE = annotation(
            PodAnnotations.UPDATE_STATE,
            "an injected Pod",
            "set by the operator, JSON: what ran before the last update in place");
    static final MetadataKey WORKING_SLOTS = annotation(
            PodAnnotations.WORKING_SLOTS,
            "an injected Pod",
            "set by the operator, JSON: which of its two containers works, for each sidecar of a hot upgrade");
    static final MetadataKey SLOT_VERSION = annotation(
            HotSlots.VERSION_PREFIX + "CONTAINER",
            "an injected Pod",
            "set by the operator: the version in that container of a hot upgrade; 0 for none, 1 for the one injected");
    static final MetadataKey OTHER_SLOT_VERSION = annotation(
            HotSlots.OTHER_VERSION_PREFIX + "CONTAINER",
            "an injected Pod",
            "set by the operator: the version in the container beside that one");

    private SidecarSetKeys() {}
}

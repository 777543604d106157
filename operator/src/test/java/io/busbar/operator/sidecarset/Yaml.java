package io.busbar.operator.sidecarset;

import io.busbar.operator.sidecarset.v1beta1.SidecarSet;
import io.busbar.operator.sidecarset.v1beta1.SidecarSetSpec;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;

/** Objects for tests, as a user would write them. */
public final class Yaml {

    /** Takes a text for JSON by its first brace, were it not for the document's mark before it. */
    private static final KubernetesSerialization SERIALIZATION = new KubernetesSerialization();

    private Yaml() {}

    public static <T> T read(String yaml, Class<T> type) {
        return SERIALIZATION.unmarshal("---\n" + yaml, type);
    }

    public static SidecarSetSpec spec(String yaml) {
        return read(yaml, SidecarSetSpec.class);
    }

    /** A set of this name with this spec. */
    public static SidecarSet set(String name, String spec) {
        SidecarSet set = new SidecarSet();
        set.getMetadata().setName(name);
        set.setSpec(spec(spec));
        return set;
    }

    public static String written(Object object) {
        return SERIALIZATION.asJson(object);
    }

    public static <T> T copy(T object) {
        return SERIALIZATION.clone(object);
    }
}

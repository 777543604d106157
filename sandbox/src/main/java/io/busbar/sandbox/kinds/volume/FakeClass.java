package io.busbar.sandbox.kinds.volume;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.controller.Kind;

/** The storage class that is the default. Any thread. */
public final class FakeClass {

    static final String PROVISIONER = "fake-kubelet/volumes";
    static final String DEFAULT = "storageclass.kubernetes.io/is-default-class";

    private FakeClass() {}

    public static ObjectNode object() {
        ObjectNode object = JsonNodeFactory.instance.objectNode();
        object.put("kind", Kind.STORAGE_CLASS.name()).put("apiVersion", Kind.STORAGE_CLASS.apiVersion());
        object.putObject("metadata")
                .put("name", "fake")
                .putObject("annotations")
                .put(DEFAULT, "true");
        return object.put("provisioner", PROVISIONER)
                .put("reclaimPolicy", "Delete")
                .put("allowVolumeExpansion", true)
                .put("volumeBindingMode", "Immediate");
    }
}

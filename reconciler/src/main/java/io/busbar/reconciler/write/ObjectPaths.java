package io.busbar.reconciler.write;

import io.busbar.common.ObjectKey;
import io.busbar.common.ResourceType;
import io.fabric8.kubernetes.api.model.HasMetadata;

/** URL paths of objects whose model class declares its kind. Any thread. */
public final class ObjectPaths {

    /** Reading a class's annotations takes longer than all the rest of a no-op apply. */
    private static final ClassValue<ResourceType> TYPES = new ClassValue<>() {
        @Override
        protected ResourceType computeValue(Class<?> type) {
            return ResourceType.of(type.asSubclass(HasMetadata.class));
        }
    };

    private ObjectPaths() {}

    static ResourceType type(Class<? extends HasMetadata> type) {
        return TYPES.get(type);
    }

    /**
     * @throws IllegalArgumentException when an object of a namespaced kind has no namespace
     */
    public static String of(HasMetadata object) {
        return collection(object) + "/" + object.getMetadata().getName();
    }

    /**
     * The path of an object by its key.
     *
     * @throws IllegalArgumentException when that of a namespaced kind has no namespace, or that of another kind has one
     */
    public static String of(Class<? extends HasMetadata> type, ObjectKey key) {
        ResourceType resource = TYPES.get(type);
        if (resource.namespaced() == key.namespace().isEmpty()) {
            throw new IllegalArgumentException(resource.kind() + " " + key + " is not allowed; allowed: a key "
                    + (resource.namespaced() ? "with a namespace" : "without a namespace"));
        }
        return (resource.namespaced() ? resource.path(key.namespace()) : resource.path()) + "/" + key.name();
    }

    /**
     * Where such objects are created.
     *
     * @throws IllegalArgumentException when an object of a namespaced kind has no namespace
     */
    static String collection(HasMetadata object) {
        ResourceType type = TYPES.get(object.getClass());
        if (!type.namespaced()) {
            return type.path();
        }
        String namespace = object.getMetadata().getNamespace();
        if (namespace == null || namespace.isEmpty()) {
            throw new IllegalArgumentException(
                    type.kind() + " " + object.getMetadata().getName() + " has no namespace");
        }
        return type.path(namespace);
    }
}

package io.busbar.watcher.store;

import io.busbar.common.internal.json.JsonScanner;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.OwnerReference;
import java.lang.reflect.Constructor;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Makes objects that have metadata and nothing else, for triggers and indexes that look at no more. managedFields are
 * left out, and what the client's model does not know.
 *
 * <p>Any thread.
 */
final class MetadataDecoder<T extends HasMetadata> {

    private final Constructor<T> constructor;

    private MetadataDecoder(Constructor<T> constructor) {
        this.constructor = constructor;
    }

    /** Empty for a class whose objects cannot be made empty, or do not know their kind then. */
    static <T extends HasMetadata> Optional<MetadataDecoder<T>> of(Class<T> type) {
        try {
            Constructor<T> constructor = type.getConstructor();
            return constructor.newInstance().getKind() == null
                    ? Optional.empty()
                    : Optional.of(new MetadataDecoder<>(constructor));
        } catch (ReflectiveOperationException | RuntimeException notToBeHadEmpty) {
            return Optional.empty();
        }
    }

    /** @throws RuntimeException where the metadata does not fit the model */
    T decode(byte[] json) {
        T object = empty();
        object.setMetadata(new Reading(new JsonScanner(json)).metadata());
        return object;
    }

    private T empty() {
        try {
            return constructor.newInstance();
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("was made before: " + constructor, e);
        }
    }

    /** One object. Methods consume the value that is next. */
    private static final class Reading {

        private final JsonScanner scanner;

        Reading(JsonScanner scanner) {
            this.scanner = scanner;
        }

        ObjectMeta metadata() {
            ObjectMeta metadata = new ObjectMeta();
            for (boolean more = scanner.firstMember(); more; more = scanner.nextMember()) {
                if (scanner.nameIs("metadata")) {
                    members(member -> read(member, metadata));
                    return metadata;
                }
                scanner.skip();
            }
            return metadata;
        }

        private void read(String member, ObjectMeta metadata) {
            switch (member) {
                case "annotations" -> metadata.setAnnotations(strings());
                case "creationTimestamp" -> metadata.setCreationTimestamp(string());
                case "deletionGracePeriodSeconds" -> metadata.setDeletionGracePeriodSeconds(integer());
                case "deletionTimestamp" -> metadata.setDeletionTimestamp(string());
                case "finalizers" -> metadata.setFinalizers(finalizers());
                case "generateName" -> metadata.setGenerateName(string());
                case "generation" -> metadata.setGeneration(integer());
                case "labels" -> metadata.setLabels(strings());
                case "name" -> metadata.setName(string());
                case "namespace" -> metadata.setNamespace(string());
                case "ownerReferences" -> metadata.setOwnerReferences(owners());
                case "resourceVersion" -> metadata.setResourceVersion(string());
                case "selfLink" -> metadata.setSelfLink(string());
                case "uid" -> metadata.setUid(string());
                default -> scanner.skip();
            }
        }

        private List<OwnerReference> owners() {
            List<OwnerReference> owners = new ArrayList<>();
            elements(() -> {
                OwnerReference owner = new OwnerReference();
                members(member -> read(member, owner));
                owners.add(owner);
            });
            return owners;
        }

        private void read(String member, OwnerReference owner) {
            switch (member) {
                case "apiVersion" -> owner.setApiVersion(string());
                case "blockOwnerDeletion" -> owner.setBlockOwnerDeletion(flag());
                case "controller" -> owner.setController(flag());
                case "kind" -> owner.setKind(string());
                case "name" -> owner.setName(string());
                case "uid" -> owner.setUid(string());
                default -> scanner.skip();
            }
        }

        private Map<String, String> strings() {
            Map<String, String> strings = new LinkedHashMap<>();
            members(name -> {
                String value = string();
                if (value != null) {
                    strings.put(name, value);
                }
            });
            return strings;
        }

        private List<String> finalizers() {
            List<String> finalizers = new ArrayList<>();
            elements(() -> {
                String finalizer = string();
                if (finalizer != null) {
                    finalizers.add(finalizer);
                }
            });
            return finalizers;
        }

        /** None in a null. */
        private void members(Consumer<String> member) {
            if (scanner.peek() == 'n') {
                scanner.skip();
                return;
            }
            for (boolean more = scanner.firstMember(); more; more = scanner.nextMember()) {
                member.accept(scanner.name());
            }
        }

        private void elements(Runnable element) {
            if (scanner.peek() == 'n') {
                scanner.skip();
                return;
            }
            for (boolean more = scanner.firstElement(); more; more = scanner.nextElement()) {
                element.run();
            }
        }

        private @Nullable String string() {
            if (scanner.peek() == 'n') {
                scanner.skip();
                return null;
            }
            return scanner.string();
        }

        private @Nullable Long integer() {
            String literal = scanner.literal();
            return literal.equals("null") ? null : Long.valueOf(literal);
        }

        private @Nullable Boolean flag() {
            String literal = scanner.literal();
            return switch (literal) {
                case "true" -> Boolean.TRUE;
                case "false" -> Boolean.FALSE;
                case "null" -> null;
                default -> throw new IllegalArgumentException(literal + " is neither true nor false");
            };
        }
    }
}

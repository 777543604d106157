package io.busbar.runtime.management;

import io.busbar.common.ObjectKey;
import io.busbar.common.ResourceType;
import io.fabric8.kubernetes.api.model.authorization.v1.SubjectAccessReviewSpec;
import io.fabric8.kubernetes.api.model.authorization.v1.SubjectAccessReviewSpecBuilder;

/** What a caller wants to do. Immutable. */
sealed interface Wish {

    /** For the API server, without who asks. */
    SubjectAccessReviewSpec asked();

    /** As in {@code get /metrics}, for people. */
    String text();

    /**
     * Something with a path that is no object's.
     *
     * @param verb get, post
     */
    record OnPath(String verb, String path) implements Wish {

        @Override
        public SubjectAccessReviewSpec asked() {
            return new SubjectAccessReviewSpecBuilder()
                    .withNewNonResourceAttributes()
                    .withVerb(verb)
                    .withPath(path)
                    .endNonResourceAttributes()
                    .build();
        }

        @Override
        public String text() {
            return verb + " " + path;
        }
    }

    /** Something with an object. */
    record OnObject(String verb, ResourceType type, ObjectKey key) implements Wish {

        @Override
        public SubjectAccessReviewSpec asked() {
            return new SubjectAccessReviewSpecBuilder()
                    .withNewResourceAttributes()
                    .withVerb(verb)
                    .withGroup(type.group())
                    .withVersion(type.version())
                    .withResource(type.plural())
                    .withNamespace(key.namespace())
                    .withName(key.name())
                    .endResourceAttributes()
                    .build();
        }

        @Override
        public String text() {
            return verb + " " + type.plural() + " " + key;
        }
    }
}

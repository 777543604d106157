package io.busbar.manifests.crd;

import com.fasterxml.jackson.databind.BeanDescription;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.introspect.AnnotatedMember;
import com.fasterxml.jackson.databind.introspect.BeanPropertyDefinition;
import io.fabric8.crd.generator.annotation.PreserveUnknownFields;
import io.fabric8.crd.generator.annotation.SchemaFrom;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import java.lang.annotation.Annotation;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Goes through a drafted schema and the Java type that it is of, side by side, and puts the schema right in place.
 *
 * <p>Any thread, each schema by one.
 */
final class SchemaRefiner {

    private static final Set<Class<?>> OPTIONALS =
            Set.of(Optional.class, OptionalInt.class, OptionalLong.class, OptionalDouble.class);

    private final ObjectMapper mapper;
    private final Descriptions descriptions = new Descriptions();

    SchemaRefiner(ObjectMapper mapper) {
        this.mapper = mapper;
    }

    void refineRoot(JSONSchemaProps schema, Class<?> type) {
        if (schema.getDescription() == null) {
            descriptions.of(type).ifPresent(schema::setDescription);
        }
        refineProperties(schema, mapper.constructType(type), new Place(type.getSimpleName(), false));
    }

    private void refineProperties(JSONSchemaProps schema, JavaType type, Place place) {
        for (BeanPropertyDefinition property : bean(type).findProperties()) {
            JSONSchemaProps below = schema.getProperties().get(property.getName());
            if (below != null) {
                if (below.getDescription() == null) {
                    descriptions.of(property).ifPresent(below::setDescription);
                }
                refineField(below, new Field(mapper, property), place.field(property.getName()));
            }
        }
    }

    private void refineField(JSONSchemaProps schema, Field field, Place place) {
        refine(schema, field.type(), place);
        if (place.open() && field.isOfModel()) {
            allowNull(schema);
        }
        if (field.type().isCollectionLikeType() && schema.getItems() != null) {
            ListTypes.refine(schema, field, place.path());
        } else if (field.has(Atomic.class)) {
            schema.setXKubernetesMapType("atomic");
        } else if (field.has(Schemaless.class)) {
            schema.setProperties(null);
            schema.setAdditionalProperties(null);
            schema.setRequired(null);
            schema.setXKubernetesPreserveUnknownFields(true);
        }
    }

    /** Kubernetes takes null for any field of its own types, so an open copy of one does. */
    private static void allowNull(JSONSchemaProps schema) {
        schema.setNullable(true);
        if (schema.getItems() != null
                && schema.getItems().getSchema().getProperties().isEmpty()) {
            schema.getItems().getSchema().setNullable(true);
        }
    }

    private void refine(JSONSchemaProps schema, JavaType type, Place place) {
        Class<?> raw = type.getRawClass();
        if (OPTIONALS.contains(raw)) {
            throw new IllegalArgumentException(
                    place.path() + " is " + raw.getSimpleName() + ", which has no JSON form here: declare it nullable");
        }
        if (raw == Object.class) {
            schema.setType(null);
            schema.setXKubernetesPreserveUnknownFields(true);
        } else if (type.isMapLikeType()) {
            refineMap(schema, type, place);
        } else if (raw == byte[].class || schema.getItems() == null) {
            ScalarTypes.refine(schema, raw);
            refineObject(schema, type, place);
        } else {
            refine(schema.getItems().getSchema(), type.getContentType(), place.below("[]"));
        }
    }

    private void refineMap(JSONSchemaProps schema, JavaType type, Place place) {
        if (type.getContentType().getRawClass() == Object.class) {
            schema.setAdditionalProperties(null);
            schema.setXKubernetesPreserveUnknownFields(true);
        } else if (schema.getAdditionalProperties() != null) {
            refine(schema.getAdditionalProperties().getSchema(), type.getContentType(), place.below("{}"));
        }
    }

    private void refineObject(JSONSchemaProps schema, JavaType type, Place place) {
        if (schema.getProperties() == null || schema.getProperties().isEmpty()) {
            return;
        }
        boolean open = keepsUnknownFields(type) || (place.open() && CoreTypes.isModel(type.getRawClass()));
        if (open) {
            schema.setXKubernetesPreserveUnknownFields(true);
        }
        if (CoreTypes.isAtomic(type.getRawClass())) {
            schema.setXKubernetesMapType("atomic");
        }
        refineProperties(schema, type, new Place(place.path(), open));
    }

    /** By annotation, or because its own JSON mapping says so; the client's models all do, and do not mean it. */
    private boolean keepsUnknownFields(JavaType type) {
        for (Class<?> raw = type.getRawClass(); raw != null; raw = raw.getSuperclass()) {
            if (raw.isAnnotationPresent(PreserveUnknownFields.class)) {
                return true;
            }
        }
        AnnotatedMember setter = bean(type).findAnySetterAccessor();
        AnnotatedMember getter = bean(type).findAnyGetter();
        return isOwn(setter) || isOwn(getter);
    }

    private static boolean isOwn(@Nullable AnnotatedMember member) {
        return member != null && !CoreTypes.isModel(member.getDeclaringClass());
    }

    private BeanDescription bean(JavaType type) {
        return mapper.getSerializationConfig().introspect(type);
    }

    /**
     * Where the walk is.
     *
     * @param path for messages
     * @param open whether the type around keeps unknown fields: then the client's models in it do as well
     */
    private record Place(String path, boolean open) {

        Place field(String name) {
            return below("." + name);
        }

        Place below(String step) {
            return new Place(path + step, open);
        }
    }

    /**
     * A property: the type that its schema is of, and the annotations on field, accessor and constructor parameter
     * together.
     */
    record Field(JavaType type, BeanPropertyDefinition property) {

        Field(ObjectMapper mapper, BeanPropertyDefinition property) {
            this(declaredType(mapper, property), property);
        }

        boolean has(Class<? extends Annotation> annotation) {
            return annotation(property, annotation) != null;
        }

        <A extends Annotation> Optional<A> get(Class<A> annotation) {
            return Optional.ofNullable(annotation(property, annotation));
        }

        /** Whether the client's models declare it. */
        boolean isOfModel() {
            return CoreTypes.isModel(property.getPrimaryMember().getDeclaringClass());
        }

        private static JavaType declaredType(ObjectMapper mapper, BeanPropertyDefinition property) {
            SchemaFrom other = annotation(property, SchemaFrom.class);
            return other == null ? property.getPrimaryType() : mapper.constructType(other.type());
        }

        private static <A extends Annotation> @Nullable A annotation(
                BeanPropertyDefinition property, Class<A> annotation) {
            return property.getPrimaryMember().getAnnotation(annotation);
        }
    }
}

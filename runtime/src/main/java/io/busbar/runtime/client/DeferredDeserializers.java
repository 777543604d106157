package io.busbar.runtime.client;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.BeanDescription;
import com.fasterxml.jackson.databind.BeanProperty;
import com.fasterxml.jackson.databind.DeserializationConfig;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.deser.BeanDeserializerBuilder;
import com.fasterxml.jackson.databind.deser.BeanDeserializerModifier;
import com.fasterxml.jackson.databind.deser.ContextualDeserializer;
import com.fasterxml.jackson.databind.deser.SettableBeanProperty;
import com.fasterxml.jackson.databind.module.SimpleModule;
import java.io.IOException;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Has Jackson look into a class of the Kubernetes model when the first object of it is read, and not before.
 *
 * <p>By itself it looks into all that a class can hold, and so on: for a Pod that is a thousand classes to load, of
 * which few ever occur. That is a tenth of an operator's start.
 *
 * <p>Any thread.
 */
public final class DeferredDeserializers extends SimpleModule {

    private static final long serialVersionUID = 1;
    private static final String MODEL = "io.fabric8.kubernetes.api.model.";

    public DeferredDeserializers() {
        setDeserializerModifier(new Deferral());
    }

    private static final class Deferral extends BeanDeserializerModifier {

        private static final long serialVersionUID = 1;

        @Override
        public BeanDeserializerBuilder updateBuilder(
                DeserializationConfig config, BeanDescription bean, BeanDeserializerBuilder builder) {
            List<SettableBeanProperty> properties = new ArrayList<>();
            builder.getProperties().forEachRemaining(properties::add);
            for (SettableBeanProperty property : properties) {
                if (!property.hasValueDeserializer()
                        && !property.hasValueTypeDeserializer()
                        && isModel(property.getType())) {
                    builder.addOrReplaceProperty(
                            property.withValueDeserializer(new Deferred(property.getType(), null)), true);
                }
            }
            return builder;
        }

        /** Whether it is a class of the model, or a list or a map of one. */
        private static boolean isModel(JavaType type) {
            JavaType content = type.getContentType() == null ? type : type.getContentType();
            Class<?> model = content.getRawClass();
            return model.getName().startsWith(MODEL) && !Modifier.isAbstract(model.getModifiers()) && !model.isEnum();
        }
    }

    /** Finds the deserializer that Jackson would have found, at its first use. */
    private static final class Deferred extends JsonDeserializer<Object> implements ContextualDeserializer {

        private final JavaType type;
        private final @Nullable BeanProperty property;
        private volatile @Nullable JsonDeserializer<Object> found;

        Deferred(JavaType type, @Nullable BeanProperty property) {
            this.type = type;
            this.property = property;
        }

        @Override
        public JsonDeserializer<?> createContextual(DeserializationContext context, BeanProperty holder) {
            return new Deferred(type, holder);
        }

        @Override
        public Object deserialize(JsonParser parser, DeserializationContext context) throws IOException {
            return found(context).deserialize(parser, context);
        }

        @Override
        public @Nullable Object getNullValue(DeserializationContext context) throws JsonMappingException {
            return found(context).getNullValue(context);
        }

        private JsonDeserializer<Object> found(DeserializationContext context) throws JsonMappingException {
            JsonDeserializer<Object> known = found;
            if (known == null) {
                known = context.findContextualValueDeserializer(type, property);
                found = known;
            }
            return known;
        }
    }
}

package io.busbar.blueprint.types;

import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.introspect.BeanPropertyDefinition;
import io.busbar.blueprint.types.Shape.ListOf;
import io.busbar.blueprint.types.Shape.MapOf;
import io.busbar.blueprint.types.Shape.ObjectOf;
import io.busbar.blueprint.types.Shape.Scalar;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.KubernetesResource;
import io.fabric8.kubernetes.api.model.MicroTime;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * The built-in kinds of Kubernetes, by the classes that the client has for them.
 *
 * <p>Any thread. It knows no limits of values and no required fields, and of what a class leaves open nothing: that is
 * anything.
 */
public final class ModelTypes implements Types {

    private static final String MODELS = "io.fabric8.kubernetes.api.model.";

    private static final Shape TEXTS = new MapOf(Scalar.TEXT);

    /** By class and field, alone or the values of a map. */
    private static final Set<String> BYTES = Set.of(
            "APIServiceSpec.caBundle",
            "CertificateSigningRequestSpec.request",
            "CertificateSigningRequestStatus.certificate",
            "ConfigMap.binaryData",
            "Secret.data",
            "WebhookClientConfig.caBundle");

    /** By field, the same: all of these names are times, and no others but those with digits for microseconds. */
    private static final Set<String> TIMES = Set.of(
            "allocationTimestamp",
            "completionTime",
            "creationTimestamp",
            "deletionTimestamp",
            "deprecatedFirstTimestamp",
            "deprecatedLastTimestamp",
            "disruptedPods",
            "expirationTimestamp",
            "finishedAt",
            "firstTimestamp",
            "lastHeartbeatTime",
            "lastPhaseTransitionTime",
            "lastProbeTime",
            "lastScaleTime",
            "lastScheduleTime",
            "lastSuccessfulTime",
            "lastTimestamp",
            "lastTransitionTime",
            "lastUpdateTime",
            "startTime",
            "startedAt",
            "time",
            "timeAdded");

    private final KubernetesSerialization kinds = new KubernetesSerialization();
    private final ObjectMapper mapper = new ObjectMapper();
    private final Map<Class<?>, ObjectOf> objects = new ConcurrentHashMap<>();

    @Override
    public Optional<KindType> find(String apiVersion, String kind) {
        Class<? extends KubernetesResource> type = kinds.getRegisteredKubernetesResource(apiVersion, kind);
        if (type == null || !HasMetadata.class.isAssignableFrom(type)) {
            return Optional.empty();
        }
        Class<? extends HasMetadata> model = type.asSubclass(HasMetadata.class);
        return Optional.of(
                new KindType(object(model), HasMetadata.getPlural(model), Namespaced.class.isAssignableFrom(model)));
    }

    /** The metadata of any object. */
    public Shape metadata() {
        return object(ObjectMeta.class);
    }

    private ObjectOf object(Class<?> type) {
        return objects.computeIfAbsent(type, any -> new ObjectOf(name(type), () -> fields(type)));
    }

    private static String name(Class<?> type) {
        String name = type.getName();
        return (name.startsWith(MODELS) ? name.substring(MODELS.length()) : name).replace('$', '.');
    }

    private Map<String, Shape> fields(Class<?> type) {
        Map<String, Shape> fields = new LinkedHashMap<>();
        properties(type)
                .forEach(property -> fields.put(
                        property.getName(), formatted(type, property.getName(), shape(property.getPrimaryType()))));
        return fields;
    }

    /** The classes have strings for bytes and for times. */
    private static Shape formatted(Class<?> type, String field, Shape shape) {
        Scalar format = BYTES.contains(type.getSimpleName() + "." + field)
                ? Scalar.BYTES
                : TIMES.contains(field) ? Scalar.TIME : Scalar.TEXT;
        return shape == Scalar.TEXT ? format : shape.equals(TEXTS) ? new MapOf(format) : shape;
    }

    private Stream<BeanPropertyDefinition> properties(Class<?> type) {
        return mapper.getSerializationConfig().introspect(mapper.constructType(type)).findProperties().stream()
                .filter(property -> property.isExplicitlyNamed() && property.getPrimaryType() != null);
    }

    private boolean hasFields(Class<?> type) {
        return properties(type).findAny().isPresent();
    }

    private Shape shape(JavaType type) {
        Class<?> raw = type.getRawClass();
        if (Collection.class.isAssignableFrom(raw)) {
            return new ListOf(shape(type.getContentType()));
        }
        if (Map.class.isAssignableFrom(raw)) {
            return new MapOf(shape(type.getContentType()));
        }
        if (raw == String.class || raw == MicroTime.class || raw.isEnum()) {
            return Scalar.TEXT;
        }
        if (raw == Integer.class || raw == Long.class || raw == int.class || raw == long.class) {
            return Scalar.INTEGER;
        }
        if (raw == Double.class || raw == Float.class || raw == double.class || raw == float.class) {
            return Scalar.NUMBER;
        }
        if (raw == Boolean.class || raw == boolean.class) {
            return Scalar.BOOLEAN;
        }
        if (raw == IntOrString.class) {
            return Scalar.INTEGER_OR_TEXT;
        }
        if (raw == Quantity.class) {
            return Scalar.QUANTITY;
        }
        boolean known = raw.getName().startsWith(MODELS)
                && !raw.isInterface()
                && hasFields(raw)
                && !raw.getSimpleName().startsWith("JSONSchemaPropsOr")
                && !raw.getSimpleName().equals("RawExtension");
        return known ? object(raw) : Scalar.ANY;
    }
}

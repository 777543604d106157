package io.busbar.sandbox.kinds.volume;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.cel.Quantity;
import io.busbar.sandbox.rules.BuiltInRules;
import io.busbar.sandbox.rules.Place;
import io.busbar.sandbox.rules.RulesFile;
import io.busbar.sandbox.status.Causes;
import io.busbar.sandbox.status.StatusException;
import io.busbar.sandbox.storage.GroupResource;
import io.busbar.sandbox.storage.Metadata;
import io.busbar.sandbox.syntax.GoText;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * The rules of claims: one without a class gets the default one, all get the finalizer that protects them, none gets
 * smaller, nor larger where its class does not allow that.
 *
 * <p>One context. What the admission plugins DefaultStorageClass, StorageObjectInUseProtection and
 * PersistentVolumeClaimResize do.
 */
public final class ClaimRules extends BuiltInRules {

    private static final Map<String, String> SHOWN_MODES =
            Map.of("ReadWriteOnce", "RWO", "ReadOnlyMany", "ROX", "ReadWriteMany", "RWX", "ReadWriteOncePod", "RWOP");

    private static final GroupResource CLAIMS = GroupResource.core("persistentvolumeclaims");
    static final String PROTECTION = "kubernetes.io/pvc-protection";
    private static final List<String> MODES =
            List.of("ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod");

    public static final RulesFile RULES = RulesFile.beside(
            ClaimRules.class,
            Map.of(
                    "accessModes", ClaimRules::accessModes,
                    "storage", ClaimRules::storage,
                    "capacity", VolumeChecks::capacity,
                    "source", VolumeChecks::source,
                    "parameters", VolumeChecks::parameters),
            Map.of("phase", ClaimRules::phase, "modes", ClaimRules::modes));

    private final @Nullable Supplier<Collection<ObjectNode>> classes;

    /** @param classes all storage classes there are; null where nothing provides and protects volumes */
    public ClaimRules(Facts facts, @Nullable Supplier<Collection<ObjectNode>> classes) {
        super(facts);
        this.classes = classes;
    }

    @Override
    public ObjectNode admit(ObjectNode object) {
        if (classes == null) {
            return object;
        }
        ObjectNode claim = object.deepCopy();
        Metadata metadata = Metadata.of(claim);
        if (!claim.path("spec").has("storageClassName")) {
            classes.get().stream()
                    .filter(ClaimRules::isDefault)
                    .map(found -> Metadata.of(found).name())
                    .findFirst()
                    .ifPresent(name -> claim.withObject("/spec").put("storageClassName", name));
        }
        List<String> finalizers = new ArrayList<>(metadata.finalizers());
        if (!finalizers.contains(PROTECTION)) {
            finalizers.add(PROTECTION);
            metadata.finalizers(finalizers);
        }
        return claim;
    }

    /** A bound claim may grow; nothing else of it changes once it is said. */
    @Override
    protected void check(Causes causes, ObjectNode claim, @Nullable ObjectNode before, String subresource) {
        if (before == null || !subresource.isEmpty()) {
            return;
        }
        boolean bound = before.at("/status/phase").asText().equals("Bound");
        if (!fixed(claim, bound, before).equals(fixed(before, bound, before))) {
            causes.forbidden(
                    "spec",
                    "spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims");
        } else if (requested(claim).compareTo(requested(before)) < 0) {
            causes.forbidden("spec.resources.requests.storage", "field can not be less than status.capacity");
        } else if (requested(claim).compareTo(requested(before)) > 0 && !mayGrow(claim)) {
            throw StatusException.forbidden(
                    CLAIMS,
                    Metadata.of(claim).name(),
                    "only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must"
                            + " support resize");
        }
    }

    private boolean mayGrow(ObjectNode claim) {
        String name = claim.path("spec").path("storageClassName").asText();
        return classes == null
                || classes.get().stream()
                        .filter(found -> Metadata.of(found).name().equals(name))
                        .anyMatch(found -> found.path("allowVolumeExpansion").asBoolean());
    }

    private static ObjectNode fixed(ObjectNode claim, boolean bound, ObjectNode before) {
        ObjectNode spec = claim.path("spec").deepCopy();
        for (String field : List.of("volumeName", "storageClassName")) {
            if (before.path("spec").path(field).asText().isEmpty()) {
                spec.remove(field);
            }
        }
        if (bound) {
            spec.remove("volumeAttributesClassName");
            if (spec.path("resources").path("requests") instanceof ObjectNode requests) {
                requests.remove("storage");
            }
        }
        return spec;
    }

    private static void accessModes(Place modes) {
        for (JsonNode mode : modes.value()) {
            if (!MODES.contains(mode.asText())) {
                modes.unsupported(GoText.quote(mode.asText()), MODES);
            }
        }
        if (modes.value().size() > 1 && modes.value().toString().contains("\"ReadWriteOncePod\"")) {
            modes.forbidden("may not use ReadWriteOncePod with other access modes");
        }
    }

    private static void storage(Place spec) {
        JsonNode storage = spec.value().at("/resources/requests/storage");
        Place told = spec.field("resources").entry("storage");
        if (storage.isMissingNode()) {
            told.required();
        } else if (amount(storage).signum() <= 0) {
            told.invalid(GoText.quote(storage.asText()), "must be greater than zero");
        }
    }

    private static boolean isDefault(ObjectNode storageClass) {
        return storageClass
                .path("metadata")
                .path("annotations")
                .path(FakeClass.DEFAULT)
                .asText()
                .equals("true");
    }

    private static BigDecimal requested(ObjectNode claim) {
        JsonNode storage = claim.path("spec").path("resources").path("requests").path("storage");
        return amount(storage);
    }

    static BigDecimal amount(JsonNode quantity) {
        return Quantity.parse(quantity.asText()).map(Quantity::value).orElse(BigDecimal.ZERO);
    }

    private static String phase(JsonNode object) {
        return object.path("metadata").has("deletionTimestamp")
                ? "Terminating"
                : object.at("/status/phase").asText();
    }

    private static String modes(JsonNode modes) {
        return StreamSupport.stream(modes.spliterator(), false)
                .map(JsonNode::asText)
                .map(mode -> SHOWN_MODES.getOrDefault(mode, mode))
                .collect(Collectors.joining(","));
    }
}

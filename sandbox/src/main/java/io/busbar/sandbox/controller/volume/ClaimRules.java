package io.busbar.sandbox.controller.volume;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.core.Quantity;
import io.busbar.sandbox.resource.ForwardingRules;
import io.busbar.sandbox.resource.KindRules;
import io.busbar.sandbox.status.Causes;
import io.busbar.sandbox.status.FieldCause;
import io.busbar.sandbox.storage.Metadata;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The rules of claims: one without a class gets the default one, all get the finalizer that protects them, none gets smaller.
 *
 * <p>One context. What the admission plugins DefaultStorageClass and StorageObjectInUseProtection do.
 */
public final class ClaimRules extends ForwardingRules {

    static final String PROTECTION = "kubernetes.io/pvc-protection";

    private final Supplier<Collection<ObjectNode>> classes;

    /** @param classes all storage classes there are */
    public ClaimRules(KindRules standard, Supplier<Collection<ObjectNode>> classes) {
        super(standard);
        this.classes = classes;
    }

    @Override
    public ObjectNode admit(ObjectNode object) {
        ObjectNode claim = super.admit(object).deepCopy();
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

    @Override
    public List<FieldCause> validate(ObjectNode claim, @Nullable ObjectNode before, String subresource) {
        Causes causes = new Causes().addAll(super.validate(claim, before, subresource));
        if (before != null && subresource.isEmpty() && requested(claim).compareTo(requested(before)) < 0) {
            causes.forbidden("spec.resources.requests.storage", "field can not be less than previous value");
        }
        return causes.list();
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
        return Quantity.parse(storage.asText()).map(Quantity::value).orElse(BigDecimal.ZERO);
    }
}

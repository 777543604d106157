package io.busbar.testkit.dependents;

import io.busbar.common.RecordResource;
import io.busbar.common.condition.HasConditions;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Version;
import java.util.List;

/** A bucket outside the cluster, its address in a ConfigMap, a Deployment that uses it, and a Service if it is open. */
@Group("sample.example.com")
@Version("v1")
public final class Shop extends RecordResource<Shop, Shop.Spec, Shop.Status> implements Namespaced {

    private static final long serialVersionUID = 1L;

    public record Spec(boolean open) {}

    public record Status(List<Condition> conditions, long observedGeneration) implements HasConditions {}

    static Shop of(String name, boolean open) {
        Shop shop = new Shop();
        shop.getMetadata().setName(name);
        shop.setSpec(new Spec(open));
        return shop;
    }
}

package io.busbar.manifests.crd;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonAnySetter;
import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.crd.generator.annotation.AdditionalPrinterColumn;
import io.fabric8.crd.generator.annotation.PreserveUnknownFields;
import io.fabric8.crd.generator.annotation.PrinterColumn;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Required;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.LabelSelector;
import io.fabric8.kubernetes.api.model.LocalObjectReference;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Categories;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.ShortNames;
import io.fabric8.kubernetes.model.annotation.SpecReplicas;
import io.fabric8.kubernetes.model.annotation.StatusReplicas;
import io.fabric8.kubernetes.model.annotation.Version;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A kind with a field of each sort that the generator treats in its own way. */
@Group("manifests.example.com")
@Version("v1")
@ShortNames("wg")
@Categories("all")
@AdditionalPrinterColumn(name = "Size", jsonPath = ".spec.size", type = AdditionalPrinterColumn.Type.INTEGER)
@AdditionalPrinterColumn(
        name = "Age",
        jsonPath = ".metadata.creationTimestamp",
        type = AdditionalPrinterColumn.Type.DATE)
final class Widget extends CustomResource<Widget.Spec, Widget.Status> implements Namespaced {

    private static final long serialVersionUID = 1L;

    record Spec(
            @Required @Default("3") @SpecReplicas Integer size,
            long serial,
            double ratio,
            IntOrString partition,
            Quantity memory,
            Duration patience,
            Instant since,
            Map<String, Object> free,
            Object anything,
            JsonNode raw,
            Map<String, Part> byName,
            Set<String> tags,
            @ListSet List<String> colours,
            List<String> words,
            @ListMap(keys = {"slot", "side"}) List<Part> parts,
            @Atomic List<LocalObjectReference> secrets,
            List<LocalObjectReference> references,
            List<Container> containers,
            List<OpenContainer> sidecars,
            @Schemaless List<Volume> volumes,
            @Schemaless Part opaque,
            @Atomic Part whole,
            LabelSelector selector,
            Mode mode) {}

    record Part(@Required String slot, @Default("left") String side, int weight) {}

    enum Mode {
        Fast,
        Slow
    }

    record Status(
            @StatusReplicas int ready,
            @PrinterColumn(name = "Phase", priority = 1) String phase,
            List<Condition> conditions,
            Extras extras) {}

    /** A core type with an addition, which keeps what it does not know. */
    @PreserveUnknownFields
    static final class OpenContainer extends Container {
        private static final long serialVersionUID = 1L;

        public Integer order = 0;
        public byte[] seal = {};
        public Quantity spare = new Quantity("1");
    }

    /** Keeps what it does not know by its JSON mapping alone. */
    static final class Extras {
        public String known = "";
        private Map<String, Object> others = Map.of();

        @JsonAnyGetter
        public Map<String, Object> others() {
            return others;
        }

        @JsonAnySetter
        public void set(String name, Object value) {
            others = Map.of(name, value);
        }
    }

    @Group("manifests.example.com")
    @Version("v1")
    static final class WithOptional extends CustomResource<OptionalSpec, Void> {
        private static final long serialVersionUID = 1L;
    }

    record OptionalSpec(Optional<String> maybe) {}

    @Group("manifests.example.com")
    @Version("v1")
    static final class WithWrongKey extends CustomResource<WrongKeySpec, Void> {
        private static final long serialVersionUID = 1L;
    }

    record WrongKeySpec(@ListMap(keys = "nickname") List<Part> parts) {}
}

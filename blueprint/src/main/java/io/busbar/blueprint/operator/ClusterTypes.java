package io.busbar.blueprint.operator;

import com.fasterxml.jackson.databind.JsonNode;
import io.busbar.blueprint.types.KindType;
import io.busbar.blueprint.types.ModelTypes;
import io.busbar.blueprint.types.OpenApiTypes;
import io.busbar.blueprint.types.Shape;
import io.busbar.blueprint.types.Types;
import io.busbar.common.ObjectKey;
import io.busbar.common.ResourceType;
import io.busbar.common.watch.Index;
import io.busbar.common.watch.Lister;
import io.busbar.runtime.assembly.Installation;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionSpec;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionVersion;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The kinds of a cluster: those that are defined there as the watch of definitions shows them, and the built-in ones by
 * the client's models.
 *
 * <p>Any thread.
 */
final class ClusterTypes implements Types {

    static final Index<CustomResourceDefinition> BY_KIND = new Index<>(
            "kind",
            definition -> List.of(kind(
                    definition.getSpec().getGroup(),
                    definition.getSpec().getNames().getKind())));

    private static final ModelTypes MODELS = new ModelTypes();

    private final Lister<CustomResourceDefinition> definitions;
    private final KubernetesSerialization serialization;

    ClusterTypes(Lister<CustomResourceDefinition> definitions, KubernetesSerialization serialization) {
        this.definitions = definitions;
        this.serialization = serialization;
    }

    private static String kind(String group, String kind) {
        return group + "/" + kind;
    }

    /** A kind, whichever its version is, as indexes have it. */
    static String kindOf(String apiVersion, String kind) {
        return kind(KindType.group(apiVersion), kind);
    }

    /** As instances of a definition are stored. */
    static ResourceType type(CustomResourceDefinition definition) {
        CustomResourceDefinitionSpec spec = definition.getSpec();
        String version = spec.getVersions().stream()
                .filter(CustomResourceDefinitionVersion::getStorage)
                .map(CustomResourceDefinitionVersion::getName)
                .findFirst()
                .orElseThrow();
        return new ResourceType(
                spec.getGroup(),
                version,
                spec.getNames().getKind(),
                spec.getNames().getPlural(),
                spec.getScope().equals("Namespaced"));
    }

    Shape metadata() {
        return MODELS.metadata();
    }

    /** By its name, {@code plural.group}. */
    Optional<CustomResourceDefinition> definition(String name) {
        return definitions.get(ObjectKey.of(name));
    }

    /** The plurals under which a kind is served. */
    Stream<String> plurals(String apiVersion, String kind) {
        return definitions.by(BY_KIND, kindOf(apiVersion, kind)).stream()
                .filter(Installation::isEstablished)
                .map(definition -> definition.getSpec().getNames().getPlural());
    }

    @Override
    public Optional<KindType> find(String apiVersion, String kind) {
        return definitions.by(BY_KIND, kindOf(apiVersion, kind)).stream()
                .map(definition -> serialization.convertValue(definition, JsonNode.class))
                .flatMap(definition -> OpenApiTypes.of(definition, metadata()).find(apiVersion, kind).stream())
                .findFirst()
                .or(() -> MODELS.find(apiVersion, kind));
    }
}

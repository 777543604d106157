package io.busbar.manifests.crd;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.crd.generator.annotation.AdditionalPrinterColumn;
import io.fabric8.crdv2.generator.CustomResourceInfo;
import io.fabric8.crdv2.generator.ResolvingContext;
import io.fabric8.crdv2.generator.v1.CustomResourceHandler;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceColumnDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionVersion;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/**
 * Makes CustomResourceDefinitions from the classes of custom resources.
 *
 * <p>fabric8's generator does the first draft; what it leaves out or gets wrong is put right from the Java types:
 * formats of numbers, list and map types, what is kept although unknown, byte arrays, durations, free maps, and the
 * order of printer columns (as declared). The outcome is a structural schema, as {@code apiextensions.k8s.io/v1} asks
 * for since Kubernetes 1.16.
 *
 * <p>Any thread. Equal input gives equal output.
 */
public final class CrdGenerator {

    private CrdGenerator() {}

    /**
     * The definition of a kind that has one version.
     *
     * @throws IllegalArgumentException naming the field, when a type has no schema that its JSON would fit
     */
    public static CustomResourceDefinition generate(Class<? extends CustomResource<?, ?>> type) {
        return generate(List.of(type)).get(0);
    }

    /**
     * The definitions of all kinds, by name; classes that are versions of one kind go into one. Those that are
     * {@link Converted} are not served: that is for whoever sets up the webhook.
     *
     * @throws IllegalArgumentException naming the field, when a type has no schema that its JSON would fit
     */
    public static List<CustomResourceDefinition> generate(
            Collection<? extends Class<? extends CustomResource<?, ?>>> types) {
        ObjectMapper mapper = new ObjectMapper();
        KubernetesSerialization serialization = new KubernetesSerialization(mapper, false);
        CustomResourceHandler drafts = new CustomResourceHandler();
        for (Class<? extends HasMetadata> type : types) {
            drafts.handle(CustomResourceInfo.fromClass(type), new ResolvingContext(mapper, serialization, false));
        }
        List<CustomResourceDefinition> definitions = drafts.finish()
                .map(draft -> (CustomResourceDefinition) draft.getKey())
                .sorted(Comparator.comparing(
                        definition -> definition.getMetadata().getName()))
                .toList();
        SchemaRefiner refiner = new SchemaRefiner(mapper);
        for (Class<? extends HasMetadata> type : types) {
            CustomResourceDefinitionVersion version = version(definitions, type);
            refiner.refineRoot(version.getSchema().getOpenAPIV3Schema(), type);
            version.setAdditionalPrinterColumns(columnsAsDeclared(version, type));
            version.setServed(version.getServed() && !type.isAnnotationPresent(Converted.class));
        }
        return definitions;
    }

    private static CustomResourceDefinitionVersion version(
            List<CustomResourceDefinition> definitions, Class<? extends HasMetadata> type) {
        String name = HasMetadata.getFullResourceName(type);
        return definitions.stream()
                .filter(definition -> definition.getMetadata().getName().equals(name))
                .flatMap(definition -> definition.getSpec().getVersions().stream())
                .filter(version -> version.getName().equals(HasMetadata.getVersion(type)))
                .findFirst()
                .orElseThrow();
    }

    /** Those on the class in their order, after them those on fields; a priority of 0 is the default and left out. */
    private static List<CustomResourceColumnDefinition> columnsAsDeclared(
            CustomResourceDefinitionVersion version, Class<?> type) {
        List<String> declared = Arrays.stream(type.getAnnotationsByType(AdditionalPrinterColumn.class))
                .map(AdditionalPrinterColumn::jsonPath)
                .toList();
        List<CustomResourceColumnDefinition> columns = new ArrayList<>(version.getAdditionalPrinterColumns());
        columns.sort(Comparator.comparingInt(column -> {
            int at = declared.indexOf(column.getJsonPath());
            return at < 0 ? declared.size() : at;
        }));
        columns.stream()
                .filter(column -> Integer.valueOf(0).equals(column.getPriority()))
                .forEach(column -> column.setPriority(null));
        return columns;
    }
}

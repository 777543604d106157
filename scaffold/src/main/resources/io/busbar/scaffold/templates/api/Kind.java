package @{types};

import io.busbar.common.RecordResource;
@[converted]import io.busbar.manifests.crd.Converted;
import io.fabric8.crd.generator.annotation.AdditionalPrinterColumn;
@[namespaced]import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.model.annotation.Group;
@[irregular]import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.Version;

/**
 * A @{Kind}, as it is in version @{version}.
 *
 * <p>Say in its place what one is for: {@code kubectl explain} shows the first sentence.
 */
@Group("@{group}")
@[stored]@Version("@{version}")
@[!stored]@Version(value = "@{version}", storage = false)
@[irregular]@Plural("@{plural}")
@[converted]@Converted
@AdditionalPrinterColumn(name = "Ready", jsonPath = ".status.conditions[?(@.type==\"Ready\")].status")
@AdditionalPrinterColumn(
        name = "Age",
        jsonPath = ".metadata.creationTimestamp",
        type = AdditionalPrinterColumn.Type.DATE)
@[namespaced]public class @{Kind} extends RecordResource<@{Kind}, @{Kind}Spec, @{Kind}Status> implements Namespaced {
@[!namespaced]public class @{Kind} extends RecordResource<@{Kind}, @{Kind}Spec, @{Kind}Status> {

    private static final long serialVersionUID = 1L;
}

package io.busbar.sandbox.openapi;

import io.busbar.sandbox.model.Type;
import io.busbar.sandbox.resource.Resource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** What the definitions of an OpenAPI document are called, as in a real server's. Any thread. */
final class DefinitionNames {

    private DefinitionNames() {}

    /** Of a type, such as {@code core.v1.Pod}, or of a form, such as {@code Time}. */
    static String of(String type) {
        int dot = type.indexOf('.');
        String machinery = "io.k8s.apimachinery.pkg.";
        return switch (dot < 0 ? type : type.substring(0, dot)) {
            case "meta" -> machinery + "apis." + type;
            case "Time", "MicroTime", "FieldsV1" -> machinery + "apis.meta.v1." + type;
            case "Quantity" -> machinery + "api.resource." + type;
            case "IntOrString" -> machinery + "util.intstr." + type;
            case "RawExtension" -> machinery + "runtime." + type;
            case "apiextensions" -> "io.k8s.apiextensions-apiserver.pkg.apis." + type;
            case "apiregistration" -> "io.k8s.kube-aggregator.pkg.apis." + type;
            default ->
                dot < 0 ? "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1." + type : "io.k8s.api." + type;
        };
    }

    static String of(Resource resource) {
        if (resource.custom() == null) {
            return of(type(resource));
        }
        List<String> group = new ArrayList<>(List.of(resource.type().group().split("\\.", -1)));
        Collections.reverse(group);
        return String.join(".", group) + "." + resource.type().version() + "."
                + resource.type().kind();
    }

    static String type(Resource resource) {
        return Type.nameOf(
                resource.type().group(),
                resource.type().version(),
                resource.type().kind());
    }
}

package io.busbar.manifests;

import io.busbar.manifests.rbac.Permission;
import io.busbar.manifests.webhook.WebhookConfigurations;
import io.busbar.manifests.webhook.WebhookManifest;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * What some parts of an operator must be allowed, by where that holds.
 *
 * <p>Immutable.
 *
 * @param cluster what is in no namespace
 * @param events Events about objects in no namespace, which the API server takes in the namespace {@code default}
 * @param namespaced what is in the namespaces that the operator watches
 * @param ownNamespace what is in the operator's own
 * @param certificates in the whole cluster, where the operator makes its own certificates: to register its webhooks
 *     with its CA
 * @param conversions to register conversions by its webhook, or to set them back
 */
record PartRules(
        List<Permission> cluster,
        List<Permission> events,
        List<Permission> namespaced,
        List<Permission> ownNamespace,
        List<Permission> certificates,
        List<Permission> conversions) {

    private static final String ADMISSION = "admissionregistration.k8s.io";

    /** Those of one part. */
    static PartRules of(OperatorDeclaration operator, OperatorPart part) {
        return of(operator, List.of(part));
    }

    /** Those of all parts. */
    static PartRules of(OperatorDeclaration operator) {
        return of(operator, operator.parts());
    }

    private static PartRules of(OperatorDeclaration operator, List<OperatorPart> parts) {
        List<Permission> permissions =
                parts.stream().flatMap(part -> part.permissions().stream()).toList();
        Predicate<Permission> events = permission -> permission.group().equals("events.k8s.io");
        return new PartRules(
                permissions.stream()
                        .filter(permission -> !permission.namespaced() && !events.test(permission))
                        .toList(),
                permissions.stream()
                        .filter(permission -> !permission.namespaced() && events.test(permission))
                        .toList(),
                permissions.stream().filter(Permission::namespaced).toList(),
                parts.stream().flatMap(part -> part.ownNamespace().stream()).toList(),
                Stream.concat(certificates(operator, parts).stream(), conversions(parts).stream())
                        .toList(),
                conversions(parts));
    }

    private static List<Permission> certificates(OperatorDeclaration operator, List<OperatorPart> parts) {
        List<WebhookManifest> webhooks =
                parts.stream().flatMap(part -> part.webhooks().stream()).toList();
        WebhookConfigurations installed = new WebhookConfigurations(operator.prefix(), operator.namespace(), webhooks);
        List<Permission> permissions = new ArrayList<>();
        if (webhooks.stream().anyMatch(WebhookManifest::mutating)) {
            addConfiguration(permissions, "mutatingwebhookconfigurations", installed.mutatingName());
        }
        if (webhooks.stream().anyMatch(webhook -> !webhook.mutating())) {
            addConfiguration(permissions, "validatingwebhookconfigurations", installed.validatingName());
        }
        return permissions;
    }

    private static List<Permission> conversions(List<OperatorPart> parts) {
        String[] converted = parts.stream()
                .flatMap(part -> part.converted().stream())
                .sorted()
                .distinct()
                .toArray(String[]::new);
        return converted.length == 0
                ? List.of()
                : List.of(Permission.on(CustomResourceDefinition.class, "get", "patch")
                        .named(converted));
    }

    private static void addConfiguration(List<Permission> permissions, String resource, String name) {
        permissions.add(
                Permission.of(ADMISSION, List.of(resource), "get", "update").named(name));
        permissions.add(Permission.of(ADMISSION, List.of(resource), "create"));
    }
}

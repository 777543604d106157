package io.busbar.manifests.webhook;

import io.busbar.common.ResourceType;
import java.util.List;
import java.util.Locale;

/**
 * One webhook of an operator.
 *
 * <p>Immutable; methods return a changed copy.
 *
 * @param name qualified, such as {@code vwidget.example.com}; unique within its configuration
 * @param mutating whether it may change objects; else it only accepts or refuses
 * @param path where the operator serves it
 * @param resource whose objects it is about
 */
public record WebhookManifest(
        String name,
        boolean mutating,
        String path,
        ResourceType resource,
        List<Operation> operations,
        WebhookSelection selection,
        WebhookPolicy policy) {

    public enum Operation {
        CREATE,
        UPDATE,
        DELETE,
        CONNECT
    }

    public WebhookManifest {
        if (!name.contains(".") || !path.startsWith("/") || operations.isEmpty()) {
            throw new IllegalArgumentException("not a webhook: name " + name + ", path " + path + ", operations "
                    + operations + "; allowed: a qualified name, a path that starts with /, one operation or more");
        }
        operations = List.copyOf(operations);
    }

    /** A mutating one at {@code /mutate-<group-dashed>-<version>-<kind>}, as controller-runtime names paths. */
    public static WebhookManifest mutating(String name, ResourceType resource, Operation... operations) {
        return of(name, true, "/mutate-" + conventional(resource), resource, operations);
    }

    /** A validating one at {@code /validate-<group-dashed>-<version>-<kind>}. */
    public static WebhookManifest validating(String name, ResourceType resource, Operation... operations) {
        return of(name, false, "/validate-" + conventional(resource), resource, operations);
    }

    /** Served at a path of one's own. */
    public WebhookManifest at(String other) {
        return new WebhookManifest(name, mutating, other, resource, operations, selection, policy);
    }

    /** Asked about selected objects only. */
    public WebhookManifest selecting(WebhookSelection objects) {
        return new WebhookManifest(name, mutating, path, resource, operations, objects, policy);
    }

    /** Asked in another way than the standard one. */
    public WebhookManifest with(WebhookPolicy other) {
        return new WebhookManifest(name, mutating, path, resource, operations, selection, other);
    }

    private static WebhookManifest of(
            String name, boolean mutating, String path, ResourceType resource, Operation... operations) {
        return new WebhookManifest(
                name,
                mutating,
                path,
                resource,
                List.of(operations),
                WebhookSelection.everything(),
                WebhookPolicy.standard());
    }

    private static String conventional(ResourceType resource) {
        String group = resource.group().isEmpty() ? "" : resource.group().replace('.', '-') + "-";
        return group + resource.version() + "-" + resource.kind().toLowerCase(Locale.ROOT);
    }
}

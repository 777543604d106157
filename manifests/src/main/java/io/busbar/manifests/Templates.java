package io.busbar.manifests;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The files of the tree that are alike for all operators, but for a few words: {@code ${name}} stands for the operator's name,
 * {@code ${image.name}} and {@code ${image.tag}} for its image. They lie beside this class, under {@code tree}.
 *
 * <p>Immutable.
 */
final class Templates {

    private static final List<String> FILES = List.of(
            "certmanager/certificate.yaml",
            "certmanager/issuer.yaml",
            "certmanager/kustomization.yaml",
            "certmanager/kustomizeconfig.yaml",
            "default/kustomization.yaml",
            "default/manager_webhook_patch.yaml",
            "manager/kustomization.yaml",
            "manager/manager.yaml",
            "rbac/leader_election_role_binding.yaml",
            "rbac/metrics_auth_role_binding.yaml",
            "rbac/role_binding.yaml",
            "rbac/service_account.yaml",
            "self-signed/certificates_role_binding.yaml",
            "self-signed/kustomization.yaml",
            "self-signed/manager_webhook_patch.yaml",
            "webhook/kustomization.yaml",
            "webhook/service.yaml");

    private Templates() {}

    static SortedMap<String, String> of(OperatorDeclaration operator) {
        int colon = operator.image().lastIndexOf(':');
        Map<String, String> words = Map.of(
                "${name}", operator.name(),
                "${image.name}", operator.image().substring(0, colon),
                "${image.tag}", operator.image().substring(colon + 1));
        SortedMap<String, String> files = new TreeMap<>();
        for (String file : FILES) {
            String text = read("tree/" + file);
            for (Map.Entry<String, String> word : words.entrySet()) {
                text = text.replace(word.getKey(), word.getValue());
            }
            files.put(file, text);
        }
        return files;
    }

    private static String read(String resource) {
        try (InputStream template = Templates.class.getResourceAsStream(resource)) {
            if (template == null) {
                throw new IllegalStateException("the jar lacks " + resource);
            }
            return new String(template.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}

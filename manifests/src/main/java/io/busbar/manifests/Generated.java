package io.busbar.manifests;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.common.ResourceType;
import io.busbar.manifests.rbac.Permission;
import io.busbar.manifests.rbac.Roles;
import io.busbar.manifests.webhook.WebhookConfigurations;
import io.busbar.manifests.yaml.Yaml;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The files of the tree that follow from an operator's declarations, with the names of a {@link Form}.
 *
 * <p>Immutable.
 */
final class Generated {

    static final String HEADER = "# Generated from the operator's declarations: edits are lost.\n";

    /** To ask who reads metrics, and whether they may. */
    private static final List<Permission> METRICS_AUTHORIZATION = List.of(
            Permission.of("authentication.k8s.io", List.of("tokenreviews"), "create"),
            Permission.of("authorization.k8s.io", List.of("subjectaccessreviews"), "create"));

    private final Form form;
    private final OperatorDeclaration operator;
    private final SortedMap<String, String> files = new TreeMap<>();

    private Generated(Form form) {
        this.form = form;
        this.operator = form.operator();
    }

    /**
     * @param crds of the operator's types
     */
    static SortedMap<String, String> of(Form form, List<CustomResourceDefinition> crds) {
        Generated generated = new Generated(form);
        generated.crds(crds);
        generated.roles();
        generated.accounts();
        generated.webhooks();
        generated.ownCertificates();
        generated.samples();
        return generated.files;
    }

    private void crds(List<CustomResourceDefinition> crds) {
        for (CustomResourceDefinition crd : crds) {
            String name =
                    crd.getSpec().getGroup() + "_" + crd.getSpec().getNames().getPlural();
            add("crd/bases/" + name + ".yaml", List.of(ConversionPatches.converting(form, crd)));
        }
        kustomization("crd");
        String patches = ConversionPatches.of(form, crds, files);
        files.merge("crd/kustomization.yaml", patches, String::concat);
    }

    private void roles() {
        add(
                "rbac/role.yaml",
                List.of(
                        Roles.clusterRole(named("manager-role"), operator.all(OperatorPart::permissions)),
                        Roles.role(named("manager-role"), form.namespace(), operator.all(OperatorPart::ownNamespace))));
        add(
                "rbac/leader_election_role.yaml",
                List.of(Roles.role(named("leader-election-role"), form.namespace(), leaderElection())));
        for (ResourceType kind : operator.all(OperatorPart::kinds)) {
            for (ClusterRole role : Roles.ofKind(kind)) {
                String name = role.getMetadata().getName();
                role.getMetadata().setName(named(name));
                add("rbac/" + name.replace('-', '_') + ".yaml", List.of(role));
            }
        }
        add(
                "rbac/metrics_auth_role.yaml",
                List.of(Roles.clusterRole(named("metrics-auth-role"), METRICS_AUTHORIZATION)));
        add(
                "rbac/metrics_reader_role.yaml",
                List.of(Roles.ofPaths(named("metrics-reader"), "get", List.of("/metrics"))));
        add(
                "rbac/zpages_reader_role.yaml",
                List.of(Roles.ofPaths(named("zpages-reader"), "get", List.of("/flagz", "/statusz"))));
        add("rbac/live_reader_role.yaml", List.of(Roles.ofPaths(named("live-reader"), "get", List.of("/live"))));
        List<String> posted = operator.all(OperatorPart::eventSources).stream()
                .map(address -> "/events/" + address)
                .distinct()
                .sorted()
                .toList();
        if (!posted.isEmpty()) {
            add("rbac/events_poster_role.yaml", List.of(Roles.ofPaths(named("events-poster"), "post", posted)));
        }
        kustomization(
                "rbac",
                "leader_election_role_binding.yaml",
                "metrics_auth_role_binding.yaml",
                "role_binding.yaml",
                "service_account.yaml");
    }

    private void accounts() {
        operator.accounts()
                .forEach((account, allowed) -> add(Accounts.file(account), Accounts.objects(form, account, allowed)));
        if (!operator.accounts().isEmpty()) {
            kustomization(Accounts.FOLDER);
            files.merge(Accounts.FOLDER + "/kustomization.yaml", form.fill(Accounts.LABELS), String::concat);
        }
    }

    /** The Leases of replicas that share the work: their names are not known beforehand. */
    static final Permission SHARDS = Permission.of(
            "coordination.k8s.io", List.of("leases"), "create", "delete", "get", "list", "update", "watch");

    /** What tells a replica that shares the work which Pod template it is of. */
    static ObjectNode shardTemplate(OperatorDeclaration operator) {
        ObjectNode variable = new ObjectMapper().createObjectNode();
        variable.put("name", operator.name().toUpperCase(Locale.ROOT).replace('-', '_') + "_SHARD_TEMPLATE");
        variable.putObject("valueFrom").putObject("fieldRef").put("fieldPath", "metadata.labels['pod-template-hash']");
        return variable;
    }

    /** The Lease of who leads, and Events to tell of it. Only what is there has a name by which it can be allowed. */
    private List<Permission> leaderElection() {
        Permission leases = Permission.of("coordination.k8s.io", List.of("leases"), "get", "update");
        return List.of(
                leases.named(form.service() + "leader-election"),
                Permission.of("coordination.k8s.io", List.of("leases"), "create"),
                Permission.of("events.k8s.io", List.of("events"), "create", "patch"));
    }

    private void webhooks() {
        add(
                "webhook/manifests.yaml",
                new WebhookConfigurations(form.prefix(), operator.namespace(), operator.all(OperatorPart::webhooks))
                        .byService(named("webhook-service"), form.namespace()));
    }

    /**
     * What an operator needs that makes its own certificates: a Secret for them, and to register its webhooks with its
     * CA.
     */
    private void ownCertificates() {
        Permission secret = Permission.of("", List.of("secrets"), "get", "update");
        List<Permission> namespace =
                List.of(secret.named(form.service() + "webhook-ca"), Permission.of("", List.of("secrets"), "create"));
        add(
                "self-signed/certificates_role.yaml",
                List.of(
                        Roles.clusterRole(
                                named("certificates-role"),
                                PartRules.of(operator).certificates()),
                        Roles.role(named("certificates-role"), form.namespace(), namespace)));
    }

    private void samples() {
        operator.all(OperatorPart::samples).forEach(sample -> files.put("samples/" + sample.file(), sample.yaml()));
        // kubectl apply -f takes every .yaml of a folder for an object.
        kustomization("samples");
        files.put("samples/Kustomization", files.remove("samples/kustomization.yaml"));
    }

    private String named(String name) {
        return form.prefix() + name;
    }

    private void add(String file, Collection<?> objects) {
        files.put(file, HEADER + Yaml.writeAll(objects));
    }

    /** Lists what has been added to a folder, and files of it that are not generated. */
    private void kustomization(String folder, String... others) {
        StringBuilder text = new StringBuilder(HEADER);
        text.append("apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources:\n");
        String within = folder + "/";
        Stream.concat(
                        files.keySet().stream()
                                .filter(file -> file.startsWith(within))
                                .map(file -> file.substring(within.length())),
                        Arrays.stream(others))
                .sorted()
                .forEach(file -> text.append("- ").append(file).append('\n'));
        files.put(within + "kustomization.yaml", text.toString());
    }
}

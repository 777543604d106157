package io.busbar.blueprint.run;

import io.busbar.blueprint.check.CheckedBlueprint;
import io.busbar.manifests.About;
import io.busbar.runtime.bundle.Bundle;
import io.busbar.runtime.bundle.OperatorDefinition;
import io.busbar.runtime.client.KindClasses;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** The operator that some Blueprints are together. Any thread. */
public final class BlueprintOperator {

    private BlueprintOperator() {}

    /**
     * An operator with a part for each Blueprint, which is called as that is.
     *
     * @param version semantic, such as {@code 1.2.0}
     * @param blueprints without problems, one at least, no two of one name or kind
     * @param accounts the namespace of the accounts that they name; empty for the operator's own
     * @throws IllegalArgumentException when the name or the version is none
     */
    public static OperatorDefinition of(
            String name, String version, List<CheckedBlueprint> blueprints, Optional<String> accounts) {
        return ofRevisions(
                name,
                version,
                blueprints.stream().map(each -> List.of(new Revision("", each))).toList(),
                accounts);
    }

    /**
     * The same with what each Blueprint was before, for instances that do not have the newest revision yet.
     *
     * @param blueprints the revisions of each, the newest first, see {@link Revision#mayGoOnBeside}
     */
    public static OperatorDefinition ofRevisions(
            String name, String version, List<List<Revision>> blueprints, Optional<String> accounts) {
        KubernetesSerialization serialization = new KubernetesSerialization();
        KindClasses kinds = new KindClasses(BlueprintOperator.class);
        List<Bundle> parts = blueprints.stream()
                .<Bundle>map(each -> new BlueprintPart(each, accounts, serialization, kinds))
                .toList();
        String summary = blueprints.stream()
                .map(each -> each.get(0).blueprint().blueprint().schema().kind())
                .collect(Collectors.joining(", ", "Runs ", "."));
        return new OperatorDefinition(
                name,
                name + ":latest",
                new About(version, name, summary, "", "", Optional.empty(), List.of("blueprint")),
                parts);
    }
}

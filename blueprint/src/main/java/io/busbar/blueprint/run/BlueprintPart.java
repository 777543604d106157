package io.busbar.blueprint.run;

import io.busbar.blueprint.Blueprint;
import io.busbar.blueprint.check.CheckedBlueprint;
import io.busbar.blueprint.definition.Definition;
import io.busbar.blueprint.definition.Permissions;
import io.busbar.reconciler.Controller;
import io.busbar.runtime.bundle.Account;
import io.busbar.runtime.bundle.Bundle;
import io.busbar.runtime.bundle.BundleContext;
import io.busbar.runtime.bundle.Extras;
import io.busbar.runtime.client.KindClasses;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.List;
import java.util.Optional;

/**
 * A Blueprint as a part of an operator: its controller, and what a cluster needs for that. It has the rights of the
 * ServiceAccount that it names; those of the operator where it names none.
 *
 * <p>Any thread.
 */
final class BlueprintPart implements Bundle {

    private final CheckedBlueprint checked;
    private final Optional<String> accounts;
    private final KubernetesSerialization serialization;
    private final BlueprintBundle controllers;

    /**
     * @param revisions the newest first: earlier ones are for instances that do not have it yet
     * @param accounts the namespace of its account, where that is not the operator's own
     * @param kinds the classes of all parts
     */
    BlueprintPart(
            List<Revision> revisions,
            Optional<String> accounts,
            KubernetesSerialization serialization,
            KindClasses kinds) {
        this.checked = revisions.get(0).blueprint();
        this.accounts = accounts;
        this.serialization = serialization;
        this.controllers = new BlueprintBundle(revisions, serialization, accounts, kinds);
    }

    /** The Blueprint's own, as a part of an operator may be called: without dots. */
    static String name(Blueprint blueprint) {
        return blueprint.name().replace('.', '-');
    }

    @Override
    public String name() {
        return name(checked.blueprint());
    }

    @Override
    public List<Controller<?>> controllers(BundleContext context) {
        return controllers.controllers(context);
    }

    @Override
    public Optional<Account> account(BundleContext context) {
        String name = checked.blueprint().serviceAccountName();
        return name.isEmpty() ? Optional.empty() : Optional.of(new Account(accounts.orElse(context.namespace()), name));
    }

    @Override
    public Extras extras(BundleContext context) {
        return Extras.none()
                .defining(serialization.convertValue(
                        Definition.of(checked.blueprint().schema(), checked.statusSchema()),
                        CustomResourceDefinition.class))
                .allowingExactly(Permissions.of(checked).all());
    }
}

package io.busbar.operator.command;

import io.fabric8.kubernetes.client.KubernetesClient;

/** What a definition says of the migration of its objects. */
final class MigrationCondition {

    private MigrationCondition() {}

    /** Status, reason and message; empty where nothing is said. */
    static String of(KubernetesClient client, String definition) {
        return client
                .apiextensions()
                .v1()
                .customResourceDefinitions()
                .withName(definition)
                .require()
                .getStatus()
                .getConditions()
                .stream()
                .filter(condition -> condition.getType().equals("StorageMigrated"))
                .map(condition -> condition.getStatus() + " " + condition.getReason() + " " + condition.getMessage())
                .findFirst()
                .orElse("");
    }
}

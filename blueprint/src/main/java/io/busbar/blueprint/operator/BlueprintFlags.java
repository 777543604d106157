package io.busbar.blueprint.operator;

import picocli.CommandLine.Option;

/** Flags of whoever runs Blueprints. Set once, before it runs; read by any thread. */
final class BlueprintFlags {

    @Option(
            names = "--service-account-namespace",
            paramLabel = "NAME",
            defaultValue = "",
            description = "Where the ServiceAccounts of the Blueprints are. Default: the operator's own namespace.")
    private volatile String namespace = "";

    @Option(
            names = "--default-service-account",
            paramLabel = "NAME",
            defaultValue = "",
            description =
                    "The ServiceAccount of Blueprints that name none. Default: there is none, and such a Blueprint"
                            + " is refused.")
    private volatile String account = "";

    /** @param own the operator's namespace */
    String accountNamespace(String own) {
        return namespace.isEmpty() ? own : namespace;
    }

    /** Empty for none. */
    String defaultAccount() {
        return account;
    }
}

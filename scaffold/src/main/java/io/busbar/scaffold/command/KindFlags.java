package io.busbar.scaffold.command;

import picocli.CommandLine.Option;

/** What the commands share that are about one version of a kind: which it is. For one thread. */
final class KindFlags {

    @Option(
            names = "--group",
            defaultValue = "",
            paramLabel = "GROUP",
            description =
                    "Of the kind, without the domain, such as shop. Default: none, so that the domain is the group.")
    String group = "";

    @Option(
            names = "--version",
            required = true,
            paramLabel = "VERSION",
            description = "Of the kind, such as v1alpha1.")
    String version = "";

    @Option(names = "--kind", required = true, paramLabel = "KIND", description = "The kind, such as Crate.")
    String kind = "";

    @Option(names = "--force", description = "Writes over files that are there.")
    boolean force;

    /** Here, as picocli's own brings --version along. */
    @SuppressWarnings("UnusedVariable") // what is parsed is enough
    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Shows this.")
    private boolean help;
}

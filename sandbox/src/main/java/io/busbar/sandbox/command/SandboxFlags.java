package io.busbar.sandbox.command;

import io.busbar.common.internal.command.PortConverter;
import io.busbar.sandbox.Sandbox;
import io.busbar.sandbox.SandboxOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import picocli.CommandLine.Option;

/** How the commands that run a simulated API server start it. One thread. */
public final class SandboxFlags {

    @Option(
            names = "--port",
            paramLabel = "PORT",
            defaultValue = "0",
            converter = PortConverter.class,
            description = "Of the API server; 0 for a free one. Default: ${DEFAULT-VALUE}.")
    private int port;

    @Option(
            names = "--kubeconfig",
            paramLabel = "FILE",
            defaultValue = ".busbar/kubeconfig",
            description = "The kubeconfig to write, for an admin. Default: ${DEFAULT-VALUE}.")
    private Path kubeconfig = Path.of("");

    /** The file to write, in full. */
    public Path kubeconfig() {
        return kubeconfig.toAbsolutePath().normalize();
    }

    /**
     * Starts one, and writes the kubeconfig.
     *
     * @param more what else is chosen
     * @param atStop takes what is to be closed then
     */
    public Sandbox start(UnaryOperator<SandboxOptions> more, Consumer<AutoCloseable> atStop) throws Exception {
        Files.createDirectories(kubeconfig().getParent());
        SandboxOptions options =
                more.apply(SandboxOptions.defaults().withPort(port).withKubeconfig(kubeconfig()));
        Sandbox sandbox = Sandbox.start(options);
        atStop.accept(sandbox);
        return sandbox;
    }
}

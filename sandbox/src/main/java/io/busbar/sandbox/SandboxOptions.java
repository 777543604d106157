package io.busbar.sandbox;

import io.busbar.sandbox.clock.ManualClock;
import io.busbar.sandbox.http.HttpSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * How a sandbox is to be.
 *
 * <p>Immutable; each {@code with} method returns a changed copy. A value that is not allowed is an
 * {@link IllegalArgumentException} that says what is.
 */
public final class SandboxOptions {

    private static final SandboxOptions DEFAULTS = new SandboxOptions();

    private String bindAddress = "127.0.0.1";
    private List<String> advertiseAddresses = List.of();
    private int port = 0;
    private boolean tls = true;
    private String version = HttpSettings.VERSION;
    private int nodes = 3;
    private boolean kubelet = true;
    private boolean controllers = true;
    private int history = 4096;
    private Duration bookmarks = Duration.ofMinutes(1);
    private Optional<Path> kubeconfig = Optional.empty();
    private Optional<ManualClock> clock = Optional.empty();
    private boolean rbac = false;
    private Optional<Path> dataDir = Optional.empty();
    private Set<FeatureGate> featureGates = Set.of();

    private SandboxOptions() {}

    private SandboxOptions(SandboxOptions other) {
        bindAddress = other.bindAddress;
        advertiseAddresses = other.advertiseAddresses;
        port = other.port;
        tls = other.tls;
        version = other.version;
        nodes = other.nodes;
        kubelet = other.kubelet;
        controllers = other.controllers;
        history = other.history;
        bookmarks = other.bookmarks;
        kubeconfig = other.kubeconfig;
        clock = other.clock;
        rbac = other.rbac;
        dataDir = other.dataDir;
        featureGates = other.featureGates;
    }

    /** HTTPS on a free port of 127.0.0.1, Kubernetes 1.36, three nodes and their kubelet. */
    public static SandboxOptions defaults() {
        return DEFAULTS;
    }

    /** The address to listen on, which the certificate holds for; 0.0.0.0 or :: for all of the machine's. */
    public String bindAddress() {
        return bindAddress;
    }

    /**
     * The names and addresses by which clients reach it, with a port if they use another: the first is in the
     * kubeconfig, the certificate holds for all. If there is none, the address that it listens on, or, when it listens
     * on all, that by which the machine reaches others.
     */
    public List<String> advertiseAddresses() {
        return advertiseAddresses;
    }

    /** The port to listen on; 0 for any free one. */
    public int port() {
        return port;
    }

    /** Whether to speak HTTPS, with a certificate of an own CA that the kubeconfig names. */
    public boolean tls() {
        return tls;
    }

    /** The version of Kubernetes that is reported, such as {@code v1.36.2}. */
    public String version() {
        return version;
    }

    /** How many nodes there are, named {@code node-0}, .... */
    public int nodes() {
        return nodes;
    }

    /** Whether Pods are put on nodes and run, as far as anybody can tell. */
    public boolean kubelet() {
        return kubelet;
    }

    /** Whether Deployments, Jobs, Services and their like are brought to their state. */
    public boolean controllers() {
        return controllers;
    }

    /** How many changes of each kind are kept for watches. */
    public int history() {
        return history;
    }

    /** How often a watch that wants bookmarks gets one. */
    public Duration bookmarks() {
        return bookmarks;
    }

    /** Where to write a kubeconfig; empty for nowhere. */
    public Optional<Path> kubeconfig() {
        return kubeconfig;
    }

    /** The clock that the cluster goes by, for a test to advance; empty for the system's. */
    public Optional<ManualClock> clock() {
        return clock;
    }

    /** Whether callers may only do what roles say; everybody may do everything otherwise. */
    public boolean rbac() {
        return rbac;
    }

    /** The folder where the state is kept; empty to keep none. */
    public Optional<Path> dataDir() {
        return dataDir;
    }

    /** The gates that are open. */
    public Set<FeatureGate> featureGates() {
        return featureGates;
    }

    /** Others than 127.0.0.1 let other machines in, which need the token of a kubeconfig. */
    public SandboxOptions withBindAddress(String value) {
        String checked = ServingAddress.checkedAddress(value);
        return changed(copy -> copy.bindAddress = checked);
    }

    /** @param values such as {@code sandbox}, {@code 192.0.2.7} or {@code sandbox.example.com:16443} */
    public SandboxOptions withAdvertiseAddresses(String... values) {
        List<String> checked =
                Stream.of(values).map(ServingAddress::checkedHost).toList();
        return changed(copy -> copy.advertiseAddresses = checked);
    }

    public SandboxOptions withPort(int value) {
        if (value < 0 || value > 65535) {
            throw new IllegalArgumentException("port: " + value + ", allowed: 0 to 65535");
        }
        return changed(copy -> copy.port = value);
    }

    public SandboxOptions withTls(boolean value) {
        return changed(copy -> copy.tls = value);
    }

    public SandboxOptions withVersion(String value) {
        if (!value.matches("v\\d+\\.\\d+\\.\\d+.*")) {
            throw new IllegalArgumentException("not a version of Kubernetes: '" + value + "', such as v1.36.2");
        }
        return changed(copy -> copy.version = value);
    }

    public SandboxOptions withNodes(int value) {
        if (value < 0) {
            throw new IllegalArgumentException("nodes: " + value + ", allowed: 0 or more");
        }
        return changed(copy -> copy.nodes = value);
    }

    public SandboxOptions withKubelet(boolean value) {
        return changed(copy -> copy.kubelet = value);
    }

    public SandboxOptions withControllers(boolean value) {
        return changed(copy -> copy.controllers = value);
    }

    public SandboxOptions withHistory(int value) {
        return changed(copy -> copy.history = value);
    }

    public SandboxOptions withBookmarks(Duration value) {
        return changed(copy -> copy.bookmarks = value);
    }

    public SandboxOptions withKubeconfig(Path value) {
        return changed(copy -> copy.kubeconfig = Optional.of(value));
    }

    public SandboxOptions withClock(ManualClock value) {
        return changed(copy -> copy.clock = Optional.of(value));
    }

    public SandboxOptions withRbac(boolean value) {
        return changed(copy -> copy.rbac = value);
    }

    /** Keeps the state in a folder, which is made when it is not there. One sandbox uses it at a time. */
    public SandboxOptions withDataDir(Path value) {
        return changed(copy -> copy.dataDir = Optional.of(value));
    }

    public SandboxOptions withFeatureGate(FeatureGate gate, boolean open) {
        Set<FeatureGate> gates = EnumSet.noneOf(FeatureGate.class);
        gates.addAll(featureGates);
        if (open) {
            gates.add(gate);
        } else {
            gates.remove(gate);
        }
        return changed(copy -> copy.featureGates = Set.copyOf(gates));
    }

    private SandboxOptions changed(Consumer<SandboxOptions> change) {
        SandboxOptions copy = new SandboxOptions(this);
        change.accept(copy);
        return copy;
    }
}

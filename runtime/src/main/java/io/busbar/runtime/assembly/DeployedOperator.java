package io.busbar.runtime.assembly;

import io.busbar.common.ObjectKey;
import io.busbar.common.configuration.ConfigurationProblem;
import io.busbar.common.configuration.InvalidConfigurationException;
import io.busbar.reconciler.leader.LeaderElectionOptions;
import io.busbar.runtime.options.OperatorOptions;
import io.busbar.runtime.options.WebhookOptions;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An operator as it is deployed in a cluster, and what it was told.
 *
 * <p>Immutable; any thread.
 *
 * @param deployment its name, and its namespace
 * @param flags all that it was told, by words or in its environment, such as {@code --leader-elect}
 */
public record DeployedOperator(ObjectKey deployment, List<String> flags) {

    private static final Logger log = LoggerFactory.getLogger(DeployedOperator.class);

    public DeployedOperator {
        flags = List.copyOf(flags);
    }

    /**
     * Finds it by the labels that its manifests give it; blocks.
     *
     * @param name the operator's
     * @return empty when it is not there, or has no replicas
     */
    public static Optional<DeployedOperator> of(KubernetesClient client, String name, String namespace) {
        Optional<DeployedOperator> found = client
                .apps()
                .deployments()
                .inNamespace(namespace)
                .withLabel("control-plane", "controller-manager")
                .list()
                .getItems()
                .stream()
                .filter(one -> name.equals(
                        one.getSpec().getTemplate().getMetadata().getLabels().get("app.kubernetes.io/name")))
                .filter(one -> !Integer.valueOf(0).equals(one.getSpec().getReplicas()))
                .map(one -> new DeployedOperator(ObjectKey.of(one), flags(one, name)))
                .findFirst();
        if (found.isEmpty()) {
            log.atInfo().addKeyValue("namespace", namespace).log("no operator is deployed from which to take over");
        }
        return found;
    }

    private static List<String> flags(Deployment deployment, String name) {
        String prefix = name.toUpperCase(Locale.ROOT).replace('-', '_') + "_";
        List<String> flags = new ArrayList<>();
        for (Container container : deployment.getSpec().getTemplate().getSpec().getContainers()) {
            flags.addAll(container.getCommand());
            flags.addAll(container.getArgs());
            for (EnvVar variable : container.getEnv()) {
                if (variable.getName().startsWith(prefix) && variable.getValue() != null) {
                    String flag = variable.getName()
                            .substring(prefix.length())
                            .toLowerCase(Locale.ROOT)
                            .replace('_', '-');
                    flags.add("--" + flag + "=" + variable.getValue());
                }
            }
        }
        return flags;
    }

    /**
     * Checks that it stands by while another has taken over, and goes on by itself afterwards.
     *
     * @param taker what the other is to run with, which elects a leader
     * @throws InvalidConfigurationException with all that speaks against it
     */
    public void checkThatItStandsBy(OperatorOptions taker) {
        LeaderElectionOptions election = taker.leaderElection().orElseThrow();
        List<ConfigurationProblem> problems = new ArrayList<>();
        if (!value("leader-elect")
                .map(value -> value.isEmpty() || value.equals("true"))
                .orElse(false)) {
            problems.add(new ConfigurationProblem(
                    "--take-over",
                    "from Deployment " + deployment + ", which runs without --leader-elect",
                    "from one that elects a leader, as no other stands by; or from one without replicas, after: kubectl -n "
                            + deployment.namespace() + " scale deployment " + deployment.name() + " --replicas=0"));
        }
        same("leader-election-id", election.lease().name(), problems);
        same("leader-election-namespace", election.lease().namespace(), problems);
        WebhookOptions webhooks = taker.webhooks();
        boolean registers = value("webhook-certs").filter("self-signed"::equals).isPresent();
        if (webhooks.registrationUrl().isPresent() && !registers) {
            problems.add(new ConfigurationProblem(
                    "--webhook-url",
                    webhooks.registrationUrl().get(),
                    "none, as Deployment " + deployment
                            + " runs without --webhook-certs=self-signed and would not register its own"
                            + " webhooks afterwards; without it, that one goes on to answer them"));
        }
        if (!problems.isEmpty()) {
            throw new InvalidConfigurationException(problems);
        }
    }

    private void same(String flag, String own, List<ConfigurationProblem> problems) {
        value(flag)
                .filter(theirs -> !theirs.equals(own))
                .ifPresent(theirs -> problems.add(new ConfigurationProblem(
                        "--" + flag, own, theirs + ", as Deployment " + deployment + " has it")));
    }

    /** The last that it was told for a flag, in one word or two; empty text where that has no value. */
    private Optional<String> value(String flag) {
        for (int i = flags.size() - 1; i >= 0; i--) {
            String word = flags.get(i);
            if (word.startsWith("--" + flag + "=")) {
                return Optional.of(word.substring(flag.length() + 3));
            }
            if (word.equals("--" + flag)) {
                boolean alone = i + 1 == flags.size() || flags.get(i + 1).startsWith("--");
                return Optional.of(alone ? "" : flags.get(i + 1));
            }
        }
        return Optional.empty();
    }
}

package io.busbar.runtime.command;

import io.busbar.common.ObjectKey;
import io.busbar.common.configuration.ConfigurationProblem;
import io.busbar.common.configuration.InvalidConfigurationException;
import io.busbar.reconciler.shard.ShardLeases;
import io.busbar.reconciler.shard.ShardMap;
import io.busbar.reconciler.shard.ShardMap.Member;
import io.busbar.reconciler.write.ApiRequests;
import io.busbar.runtime.bundle.OperatorDefinition;
import io.busbar.runtime.flags.KubernetesFlags;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code shards}. */
@Command(
        name = "shards",
        sortOptions = false,
        mixinStandardHelpOptions = true,
        description =
                "Prints which replica holds which part of the work, and when each last renewed its Lease: of replicas that run"
                        + " with --shard.")
final class ShardsCommand implements Callable<Integer> {

    private final OperatorDefinition operator;

    @Mixin
    private KubernetesFlags kubernetes;

    @Option(
            names = "--leader-election-id",
            defaultValue = "{operator}-leader-election",
            paramLabel = "NAME",
            description = "The Lease that says it, as the replicas are told. Default: ${DEFAULT-VALUE}.")
    private String id = "";

    @Option(
            names = "--leader-election-namespace",
            paramLabel = "NAME",
            description =
                    "The namespace of that Lease. Default: that of this Pod, else the operator's name followed by -system.")
    private @Nullable String namespace;

    @Spec
    private CommandSpec spec;

    ShardsCommand(OperatorDefinition operator) {
        this.operator = operator;
    }

    @Override
    public Integer call() {
        String where = namespace != null
                ? namespace
                : KubernetesFlags.inClusterNamespace().orElse(operator.name() + "-system");
        ObjectKey lease = ObjectKey.of(where, id);
        try (KubernetesClient client = kubernetes.client()) {
            ShardLeases.Account account = ShardLeases.read(new ApiRequests(client), lease)
                    .orElseThrow(() -> new InvalidConfigurationException(List.of(new ConfigurationProblem(
                            "Lease", lease.toString(), "one of replicas that run with --shard"))));
            print(account, Instant.now(), spec.commandLine().getOut());
        }
        return 0;
    }

    /** A line of each member, and what nobody holds. */
    static void print(ShardLeases.Account account, Instant now, PrintWriter out) {
        ShardMap map = account.map();
        List<String[]> rows = new ArrayList<>();
        rows.add(new String[] {"MEMBER", "TEMPLATE", "RENEWED", "COUNT", "BUCKETS"});
        for (Member member : map.members()) {
            ZonedDateTime renewed = account.renewals().get(member.name());
            rows.add(row(
                    member.name(),
                    member.template().isEmpty() ? "-" : member.template(),
                    renewed == null
                            ? "never"
                            : Duration.between(renewed.toInstant(), now).toSeconds() + "s ago",
                    map,
                    member.name(),
                    remark(map, member)));
        }
        if (!map.ranges("").isEmpty()) {
            rows.add(row("<nobody>", "-", "-", map, "", ""));
        }
        for (String[] row : rows) {
            int longest = rows.stream().mapToInt(each -> each[0].length()).max().orElse(0);
            out.println(("%-" + longest + "s  %-12s  %-10s  %5s  %s")
                    .formatted((Object[]) row)
                    .stripTrailing());
        }
        out.println("generation " + map.generation() + ", " + map.holders().size() + " buckets");
        out.flush();
    }

    private static String remark(ShardMap map, Member member) {
        String toCome = map.toCome(member.name());
        return (member.leaves() ? " (leaves)" : "") + (toCome.isEmpty() ? "" : " (gets " + toCome + ")");
    }

    private static String[] row(
            String name, String template, String renewed, ShardMap map, String holder, String remark) {
        long count = map.holders().stream().filter(holder::equals).count();
        return new String[] {name, template, renewed, Long.toString(count), map.ranges(holder) + remark};
    }
}

/**
 * The operator beside its peers, on one cluster and in turns: what it takes to serve many PodSets.
 *
 * <pre>
 *   Benchmark ─ Round ─ PodSets ─creates, resizes─▶ Cluster ◀─ OperatorProcess of a Contender, or BareLoop
 *       ├── Report: the tables, and docs/benchmarks.md
 *       ├── WebhookBenchmark ─ Reviewers ─ask─▶ OperatorProcess of a Contender, or EchoServer
 *       └── BlueprintBenchmark ─ Sites ─creates─▶ Cluster ◀─ OperatorProcess of a Contender, or SiteLoop
 * </pre>
 */
@NullMarked
package io.busbar.bench;

import org.jspecify.annotations.NullMarked;

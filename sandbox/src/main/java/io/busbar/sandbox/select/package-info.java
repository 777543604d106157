/**
 * Which objects a list or a watch is about.
 *
 * <pre>
 *   ?labelSelector=…  ──▶ LabelLexer ▶ LabelParser ▶ LabelSelector ──matches(labels)──▶ yes or no
 *   matchLabels, matchExpressions of an object ─────────▶ LabelSelector
 *   ?fieldSelector=…  ──▶ FieldSelector ──supportedBy(kind)──▶ FieldSelector ──matches(object)──▶ yes or no
 *   ?shardSelector=…  ──▶ ShardParser ▶ ShardRange… ▶ ShardSelector ──matches(object)──▶ yes or no
 * </pre>
 *
 * What can't be understood is a {@link io.busbar.sandbox.select.SelectorException} with the API server's own words:
 * a 400, but a 500 of a shard selector.
 */
@NullMarked
package io.busbar.sandbox.select;

import org.jspecify.annotations.NullMarked;

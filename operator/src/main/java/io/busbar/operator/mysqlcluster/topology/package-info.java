/**
 * Who is written to, and who follows whom: one look at a cluster, and what is done about what is seen.
 *
 * <pre>
 *   Turn (what is asked for, what was told, Members as they are)
 *     ├─ Bootstrap   nobody was ever the primary: ordinal 0 is, or who has the data
 *     ├─ Failover    the primary is away: Fencing ▶ Electing (Election) ▶ Promoting ▶ Repointing
 *     ├─ Switchover  another is to be the primary: Switching
 *     ├─ Upkeep      the primary is writable, and nobody else
 *     ├─ Joining     the others follow it; who cannot is given a copy (Cloning)
 *     └─ Roles       the labels that the Services go by
 * </pre>
 *
 * Each step is taken anew from what is seen: nothing is remembered but what stands in the status. So an operator may end at any point, and
 * the next one goes on.
 */
@NullMarked
package io.busbar.operator.mysqlcluster.topology;

import org.jspecify.annotations.NullMarked;

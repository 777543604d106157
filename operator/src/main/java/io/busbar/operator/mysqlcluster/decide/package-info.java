/**
 * Who is written to, and who follows whom: what is to be done about a cluster as it is seen. Nothing here asks or
 * changes anything, so that each decision can be tried with any observation.
 *
 * <pre>
 *   Observation ─▶ Decision ─▶ Plan: Actions, and what there is to tell
 *     ├─ Introduction   servers that do not know the operator
 *     ├─ Bootstrap      nobody was ever the primary: ordinal 0 is, or who has the data (FirstPrimary)
 *     ├─ Failover       the primary is away: Fencing ▶ Electing (Election) ▶ Promoting ▶ Repointing
 *     ├─ Switchover     another is to be the primary: Switching
 *     ├─ Following      the primary follows a server outside, until the cluster takes over
 *     ├─ Upkeep         the primary is writable, and nobody else
 *     ├─ Acknowledgements   it waits for as many replicas as asked for
 *     ├─ Joining        the others follow it; who cannot is given a copy (Cloning)
 *     └─ Roles          the labels that the Services go by
 * </pre>
 *
 * <p>The first step that has something to be done has it done, and then all is decided anew by what has become of it.
 * What is known from one turn to the next stands in the status. So an operator may end at any point, and the next one
 * goes on.
 */
@NullMarked
package io.busbar.operator.mysqlcluster.decide;

import org.jspecify.annotations.NullMarked;

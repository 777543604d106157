/**
 * PriorityClasses: those of the system, what makes one valid, and the priority that a Pod has by its class.
 *
 * <pre>
 *   SystemClasses ──at the start──▶ PriorityClasses ◀──PriorityRules
 *   Pod ──▶ Priorities ──priority, preemptionPolicy──▶ Pod
 * </pre>
 */
@NullMarked
package io.busbar.sandbox.priority;

import org.jspecify.annotations.NullMarked;

package io.busbar.operator.mysqlcluster.observe;

import io.busbar.common.condition.ConditionReason;

/**
 * Something outside the cluster that is not as it has to be. What runs is kept all the same.
 *
 * <p>Immutable.
 */
public record Obstacle(ConditionReason reason, String message) {}

/**
 * Tests of operators.
 *
 * <pre>
 *   {@literal @}OperatorTest ──▶ OperatorExtension ──one for each class──▶ OperatorBed: TestCluster, RunningOperator, Trail
 *                                   │  └──one for each test──▶ TestScope: a namespace, a client ──▶ parameters
 *                                   └── a test fails ──Trail, Events──▶ WhatHappened, with the failure
 *   memory: a reconciler alone, without any of this
 * </pre>
 *
 * From the least that will do to the most:
 *
 * <ol>
 *   <li>{@link io.busbar.testkit.memory.InMemoryContext}: one reconciler, in milliseconds, one turn at a time
 *   <li>{@link io.busbar.testkit.OperatorTest}: the operator as it runs, on an API server in this JVM
 *   <li>the same classes on a real cluster, with one property
 * </ol>
 *
 * Tests of something else than an operator against an API server need {@link io.busbar.sandbox.testkit} alone, which
 * knows no operators.
 */
@NullMarked
package io.busbar.testkit;

import org.jspecify.annotations.NullMarked;

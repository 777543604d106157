/**
 * What the API server knows of the kinds that come with Kubernetes.
 *
 * <pre>
 *   object ──▶ CoreDefaults (PodDefaults, WorkloadDefaults, …) ──▶ PodAdmission, for Pods ──▶ CoreValidation ──▶ causes
 * </pre>
 *
 * Held to kube-apiserver 1.20.2, which was asked case by case. Not imitated: unknown fields of built-in kinds are kept, a
 * value of the wrong type is passed over, Services get no cluster IP, Pods no token volume; kinds without a rule here are taken
 * as they come.
 */
@NullMarked
package io.busbar.sandbox.core;

import org.jspecify.annotations.NullMarked;

/**
 * Gives claims of the storage class {@code fake} a volume at once.
 *
 * <pre>
 *   claim that is made ──▶ ClaimRules: the default class, the finalizer that protects it
 *   claim ──▶ VolumeClaims ──▶ a volume, bound to it and growing with it
 *   claim that is deleted ──▶ ClaimProtection: waits for its Pods ──▶ Volumes: its volume goes, too
 * </pre>
 *
 * The same class as that of the stand-in kubelet that serves a real control plane. Not imitated: volumes that somebody
 * makes are not matched with claims, and claims of other classes wait for their provisioner.
 */
@NullMarked
package io.busbar.sandbox.kinds.volume;

import org.jspecify.annotations.NullMarked;

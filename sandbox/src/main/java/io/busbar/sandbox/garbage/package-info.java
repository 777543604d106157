/**
 * Deletes what nobody owns any more.
 *
 * <pre>
 *   every change ──▶ OwnerGraph (who owns whom, by uid) ──▶ GarbageCollector ──▶ delete | drop a reference | take a finalizer
 * </pre>
 *
 * Background: the owner goes, then its dependents. Foreground: the owner waits for those that block it. Orphan: the dependents
 * forget the owner, which then goes. The rules are the garbage collector's of kube-controller-manager. Not imitated: references
 * across namespaces are followed like any other, and an owner of a kind that is not served counts as gone.
 */
@NullMarked
package io.busbar.sandbox.garbage;

import org.jspecify.annotations.NullMarked;

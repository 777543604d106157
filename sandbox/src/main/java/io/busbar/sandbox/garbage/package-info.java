/**
 * Deletes what nobody owns any more.
 *
 * <pre>
 *   every change ──▶ OwnerGraph (who owns whom, by uid) ──▶ GarbageCollector ──▶ delete | drop a reference | take a finalizer
 * </pre>
 *
 * Background: the owner goes, then its dependents. Foreground: the owner waits for those that block it. Orphan: the
 * dependents forget the owner, which then goes. The rules are the garbage collector's of kube-controller-manager: a
 * reference finds its owner by kind, name and uid, in the dependent's own namespace or in none. What names an owner of
 * a kind that is not served is left alone until the kind is; what is in no namespace and names an owner in one, for
 * ever.
 */
@NullMarked
package io.busbar.sandbox.garbage;

import org.jspecify.annotations.NullMarked;

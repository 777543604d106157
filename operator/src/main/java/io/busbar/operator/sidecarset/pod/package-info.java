/**
 * What a Pod remembers of the SidecarSets that were injected into it: read and written by injection and by rolling
 * updates.
 *
 * <pre>
 *   kruise.io/sidecarset-injected-list          a,b                                InjectedList
 *   kruise.io/sidecarset-hash                   {"a":{…},"b":{…}}                  SetEntries of HashEntry
 *   kruise.io/sidecarset-hash-without-image     the same, but for the images
 *   kruise.io/sidecarset-inplace-update-state   {"a":{…}}                          SetEntries of UpdateState
 *   kruise.io/sidecarset-working-hotupgrade-container   {"c":"c-1"}                HotSlots
 * </pre>
 *
 * The forms are OpenKruise's, to the byte, so that either can take over the other's Pods.
 */
@NullMarked
package io.busbar.operator.sidecarset.pod;

import org.jspecify.annotations.NullMarked;

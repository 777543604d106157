/** What running controllers do, and have done lately, for people to look at. All of it is immutable. */
@NullMarked
package io.busbar.reconciler.view;

import org.jspecify.annotations.NullMarked;

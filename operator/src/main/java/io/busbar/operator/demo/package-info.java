/** What {@code busbar dev --demo} shows: a user's steps, and what the operator and the cluster make of them. */
@NullMarked
package io.busbar.operator.demo;

import org.jspecify.annotations.NullMarked;

/**
 * The types of {@code webapp.my.domain/v1}, as they are written in YAML:
 * {@link io.busbar.operator.guestbook.v1.Guestbook}, what it asks for, and what has come of it.
 */
@NullMarked
package io.busbar.operator.guestbook.v1;

import org.jspecify.annotations.NullMarked;

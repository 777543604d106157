/**
 * What holds for all kinds that make Pods of a template: the selector that has to find them, and how the template
 * itself is checked.
 */
@NullMarked
package io.busbar.sandbox.kinds.template;

import org.jspecify.annotations.NullMarked;

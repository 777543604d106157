/**
 * The types of {@code ualter.com/v1beta1}, as they are written in YAML.
 *
 * <pre>
 *   Podbuggertool ─┬─ spec     label: which Pods; image, command: what is put into them
 *                  └─ status   how many match, how many have it, conditions
 * </pre>
 */
@NullMarked
package io.busbar.operator.podbugger.v1beta1;

import org.jspecify.annotations.NullMarked;

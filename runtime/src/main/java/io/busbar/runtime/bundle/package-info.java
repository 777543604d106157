/**
 * What an operator is made of: {@link io.busbar.runtime.bundle.Bundle} is what its authors write, and {@link
 * io.busbar.runtime.bundle.OperatorDefinition} is all of them under one name.
 *
 * <pre>
 *   Bundle: controllers, webhooks, extras ─▶ DeclaredBundle ─┬─▶ what runs
 *                                                            └─▶ DerivedPermissions ─▶ what a cluster needs (OperatorPart)
 * </pre>
 */
@NullMarked
package io.busbar.runtime.bundle;

import org.jspecify.annotations.NullMarked;

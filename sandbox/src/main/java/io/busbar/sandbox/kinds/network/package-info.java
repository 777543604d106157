/** Ingresses and NetworkPolicies: kept and checked, nothing goes by them here. */
@NullMarked
package io.busbar.sandbox.kinds.network;

import org.jspecify.annotations.NullMarked;

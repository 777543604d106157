/** Nodes: what the simulated kubelets report of them, and what nobody may change. */
@NullMarked
package io.busbar.sandbox.kinds.node;

import org.jspecify.annotations.NullMarked;

/** What an operator says of itself over plain HTTP: /healthz, /readyz, /metrics. */
@NullMarked
package io.busbar.operator.management;

import org.jspecify.annotations.NullMarked;

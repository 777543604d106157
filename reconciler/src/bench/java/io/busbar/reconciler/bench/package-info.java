/** Benchmarks of the reconciler: {@code mvn -Pbench -pl reconciler -am -DskipTests verify}. */
@NullMarked
package io.busbar.reconciler.bench;

import org.jspecify.annotations.NullMarked;

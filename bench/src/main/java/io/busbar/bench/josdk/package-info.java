/** PodSet as one writes it with the Java Operator SDK. */
@NullMarked
package io.busbar.bench.josdk;

import org.jspecify.annotations.NullMarked;

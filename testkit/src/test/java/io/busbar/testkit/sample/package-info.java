@NullMarked
package io.busbar.testkit.sample;

import org.jspecify.annotations.NullMarked;

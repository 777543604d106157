/** What is wrong with flags and environment, said all at once. */
@NullMarked
package io.busbar.common.configuration;

import org.jspecify.annotations.NullMarked;
